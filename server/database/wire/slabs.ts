// Memory for large rows, used again and again. A runtime that allocates 100 kB for each answer collects garbage for
// most of its time: such bytes lie outside its heap and press for full collections. A slab that nobody gives back is
// simply collected, so giving back is a favour, never a duty.

/** Smaller rows cost the collector next to nothing. */
export const slabMinimum = 16 * 1024;
const slabMaximum = 4 * 1024 * 1024;
/** Kept for the next rows, all sizes together. */
const mostFreeBytes = 16 * 1024 * 1024;

const free = new Map<number, Buffer[]>();
let kept = 0;

/** At least `size` bytes, of unknown contents. */
export function takeSlab(size: number): Buffer {
  if (size > slabMaximum) return Buffer.allocUnsafeSlow(size);
  const room = roomFor(size);
  const slab = free.get(room)?.pop();
  if (slab === undefined) return Buffer.allocUnsafeSlow(room);
  kept -= room;
  return slab;
}

/** Nobody will look at these bytes any more. */
export function giveSlab(slab: Buffer): void {
  const room = slab.length;
  if (room > slabMaximum || kept + room > mostFreeBytes) return;
  kept += room;
  const list = free.get(room);
  if (list === undefined) free.set(room, [slab]);
  else list.push(slab);
}

/** Powers of two, so that one size serves many rows. */
function roomFor(size: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(size, slabMinimum)));
}
