// The program that resizes images, as text: it is started with `-e` so that a bundled server needs no second file. It takes one task after
// the other from its standard input, works at a lower priority, and ends when the server does. It knows no setting and no secret.

/** It ends with this where sharp is not there for the platform. */
export const noSharp = 77;

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
let parts = [], length = 0, wanted = 4, head = null;
const take = () => {
  const all = Buffer.concat(parts, length);
  parts = wanted < length ? [all.subarray(wanted)] : [];
  length -= wanted;
  return all.subarray(0, wanted);
};
const readLength = () => { wanted = take().readUInt32BE(); next = readHead; };
let next = readLength;
const readHead = () => { head = JSON.parse(take().toString()); wanted = head.size; next = work; };
const answer = (told, bytes) => {
  const text = Buffer.from(JSON.stringify({ ...told, size: bytes.length }));
  const front = Buffer.alloc(4);
  front.writeUInt32BE(text.length);
  process.stdout.write(Buffer.concat([front, text, bytes]));
};
const work = async () => {
  const bytes = take();
  wanted = 4;
  next = readLength;
  const before = process.cpuUsage();
  const spent = () => { const { user, system } = process.cpuUsage(before); return (user + system) / 1000; };
  try {
    const { pixelLimit, resize, format, encodings, origins } = head;
    let image = sharp(bytes, { limitInputPixels: pixelLimit, failOn: 'error' });
    const output = format ?? origins[(await image.metadata()).format] ?? 'png';
    image = image.autoOrient();
    if (resize !== null) image = image.resize(resize);
    const made = await image.toFormat(output, encodings[output]).toBuffer();
    answer({ format: output, milliseconds: spent() }, made);
  } catch (error) {
    answer({ error: String(error && error.message || error), milliseconds: spent() }, Buffer.alloc(0));
  }
};
process.stdin.on('data', (part) => {
  parts.push(part);
  length += part.length;
  while (length >= wanted) next();
});
process.stdin.on('end', () => process.exit());
process.on('SIGINT', () => undefined);
`;
