// A message as it goes over the wire, made once and sent to many: frames of a server are not masked, so they are the
// same bytes for every socket, header and all.

export interface Frame {
  readonly wire: Buffer;
}

export function frameOf(message: string | Buffer): Frame {
  const isText = typeof message === 'string';
  const size = isText ? Buffer.byteLength(message) : message.length;
  const headSize = size < 126 ? 2 : size < 65_536 ? 4 : 10;
  const wire = Buffer.allocUnsafe(headSize + size);
  // The whole message in one frame: text or binary (RFC 6455, 5.2).
  wire[0] = 0x80 | (isText ? 1 : 2);
  if (headSize === 2) wire[1] = size;
  else if (headSize === 4) {
    wire[1] = 126;
    wire.writeUInt16BE(size, 2);
  } else {
    wire[1] = 127;
    wire.writeBigUInt64BE(BigInt(size), 2);
  }
  if (isText) wire.write(message, headSize);
  else message.copy(wire, headSize);
  return { wire };
}

/**
 * Frames that leave in one write. Whoever gets the same frames in the same order holds the same bundle, so a thousand
 * sockets that hear the same changes share one piece of bytes. Lives for one turn of the event loop.
 */
export class Bundle {
  readonly size: number;
  readonly #before: Bundle | null;
  readonly #frame: Frame | null;
  /** The one most went on to; further ones are rare. */
  #next: Bundle | null = null;
  #others: Map<Frame, Bundle> | null = null;
  #bytes: Buffer | null = null;

  constructor(before: Bundle | null = null, frame: Frame | null = null) {
    this.#before = before;
    this.#frame = frame;
    this.size = (before?.size ?? 0) + (frame?.wire.length ?? 0);
  }

  /** These frames and one more. */
  with(frame: Frame): Bundle {
    if (this.#next === null) {
      this.#next = new Bundle(this, frame);
      return this.#next;
    }
    if (this.#next.#frame === frame) return this.#next;
    this.#others ??= new Map();
    let other = this.#others.get(frame);
    if (other === undefined) {
      other = new Bundle(this, frame);
      this.#others.set(frame, other);
    }
    return other;
  }

  bytes(): Buffer {
    if (this.#bytes === null) {
      const wires: Buffer[] = [];
      for (let one: Bundle | null = this; one !== null; one = one.#before)
        if (one.#frame !== null) wires.push(one.#frame.wire);
      this.#bytes = wires.length === 1 ? (wires[0] as Buffer) : Buffer.concat(wires.reverse(), this.size);
    }
    return this.#bytes;
  }
}
