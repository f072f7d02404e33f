// The program that resizes images, as text: it is started with `-e` so that a bundled server needs no second file. It takes one task after
// the other from its standard input, works at a lower priority, and ends when the server does. It knows no setting and no secret.

/** It ends with this where sharp is not there for the platform. */
export const noSharp = 77;

/** Said of an image that would have to be held as a whole and is too large for that. */
export const heldWhole = 'held as a whole';

/** Both ways: four bytes for the length of some JSON, the JSON, and as many bytes as its `size` says. */
export const imageProgram = `
const os = require('node:os');
// Behind the server and Postgres, yet not so far that a busy machine never lets it run.
try { os.setPriority(Math.min(19, os.getPriority() + 5)); } catch {}
let sharp;
try { sharp = require(process.argv[1]); } catch { process.exit(${noSharp}); }
// A cache would hold pixels of images nobody asks for again; one thread for each image leaves the processors to others.
sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: JSON.parse(process.argv[2]) });
let head = null, filled = 0, room = Buffer.alloc(4), next = null;
// Each part goes to its place as it comes: an image stands here once.
const want = (size, then) => { room = Buffer.allocUnsafe(size); filled = 0; next = then; };
const readLength = (bytes) => want(bytes.readUInt32BE(), readHead);
const readHead = (bytes) => { head = JSON.parse(bytes.toString()); want(head.size, work); };
want(4, readLength);
// What a format needs of an image at once: a progressive JPEG its coefficients, others all pixels; what is decoded row by row needs little.
const heldWhole = ({ format, width, height, isProgressive, chromaSubsampling, channels, depth }) => {
  const pixels = width * height;
  if (format === 'jpeg') return isProgressive ? 2 * pixels * (chromaSubsampling === '4:2:0' ? 1.5 : channels) : 0;
  if (format === 'png') return isProgressive ? pixels * channels * (depth === 'ushort' ? 2 : 1) : 0;
  return 4 * pixels;
};
const answer = (told, bytes) => {
  const text = Buffer.from(JSON.stringify({ ...told, size: bytes.length }));
  const front = Buffer.alloc(4);
  front.writeUInt32BE(text.length);
  process.stdout.write(Buffer.concat([front, text, bytes]));
};
const work = async (bytes) => {
  want(4, readLength);
  const before = process.cpuUsage();
  const spent = () => { const { user, system } = process.cpuUsage(before); return (user + system) / 1000; };
  try {
    const { pixelLimit, mostHeld, resize, format, encodings, origins } = head;
    let image = sharp(bytes, { limitInputPixels: pixelLimit, failOn: 'error' });
    const origin = await image.metadata();
    if (heldWhole(origin) > mostHeld) throw new Error('${heldWhole}');
    const output = format ?? origins[origin.format] ?? 'png';
    image = image.autoOrient();
    if (resize !== null) image = image.resize(resize);
    const made = await image.toFormat(output, encodings[output]).toBuffer();
    answer({ format: output, milliseconds: spent() }, made);
  } catch (error) {
    answer({ error: String(error && error.message || error), milliseconds: spent() }, Buffer.alloc(0));
  }
};
process.stdin.on('data', (part) => {
  for (let at = 0; at < part.length; ) {
    const copied = part.copy(room, filled, at);
    at += copied;
    filled += copied;
    while (filled === room.length) next(room);
  }
});
process.stdin.on('end', () => process.exit());
process.on('SIGINT', () => undefined);
`;
