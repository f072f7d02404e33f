// Recognises the type of a file by its first bytes: pictures, sound and film, documents, archives, fonts, programs and markup. Compares
// fixed places and unpacks nothing, so no file can keep it busy. An unknown type is null.

/** So many are enough to know all of them. */
export const beginningBytes = 512;

export interface Kind {
  /** For people: "The bytes are …". */
  readonly name: string;
  /** Media types that are true of such bytes. One kind of picture passes for another: browsers tell them apart by themselves, and clients mix them up. */
  readonly isTrueOf: (type: string) => boolean;
}

interface Mark {
  readonly at: number;
  readonly bytes: Buffer;
}

const like = (name: string, pattern: RegExp): Kind => ({ name, isTrueOf: (type) => pattern.test(type) });
const picture = like('a picture', /^image\/(?!svg\+xml$)/);
const media = like('sound or film', /^(audio|video)\/|^application\/(ogg|mp4|mxf|x-matroska|vnd\.apple\.mpegurl)$/);
const pdf = like('a PDF', /^application\/(x-)?pdf$|^application\/(illustrator|postscript)$/);
const document = like('a document', /^application\/(?!pdf$|json$|xml$)|^text\/rtf$/);
const archive = like('an archive', /^application\/(?!pdf$|json$|xml$|rtf$)|^model\//);
const font = like(
  'a font',
  /^font\/|^application\/(x-)?font|^application\/(vnd\.ms-(fontobject|opentype)|octet-stream)/,
);
const program = like('a program', /^application\/(?!pdf$|json$|xml$|rtf$|zip$)/);
const markup = like('markup', /^text\/|\+xml$|^application\/(xml|xml-dtd|xslt|rss|atom|x-.+|vnd\..+)$/);

const mark = (at: number, bytes: string): Mark => ({ at, bytes: Buffer.from(bytes, 'latin1') });

/** The first that is found whole says what it is. */
const known: readonly (readonly [Kind, ...Mark[]])[] = [
  [picture, mark(0, '\x89PNG\r\n\x1a\n')],
  [picture, mark(0, '\xff\xd8\xff')],
  [picture, mark(0, 'GIF87a')],
  [picture, mark(0, 'GIF89a')],
  [picture, mark(0, 'RIFF'), mark(8, 'WEBP')],
  [picture, mark(0, 'BM'), mark(6, '\0\0\0\0')],
  [picture, mark(0, '\0\0\x01\0')],
  [picture, mark(0, 'II*\0')],
  [picture, mark(0, 'MM\0*')],
  [picture, mark(0, '8BPS\0')],
  [picture, mark(0, '\0\0\0\x0cJXL ')],
  ...['avif', 'avis', 'heic', 'heix', 'heim', 'heis', 'hevc', 'mif1', 'msf1'].map((brand): readonly [Kind, Mark] => [
    picture,
    mark(4, `ftyp${brand}`),
  ]),
  [media, mark(4, 'ftyp')],
  [media, mark(0, '\x1aE\xdf\xa3')],
  [media, mark(0, 'OggS')],
  [media, mark(0, 'RIFF'), mark(8, 'WAVE')],
  [media, mark(0, 'RIFF'), mark(8, 'AVI ')],
  [media, mark(0, 'ID3')],
  ...['\xf1', '\xf2', '\xf3', '\xf9', '\xfa', '\xfb'].map((second): readonly [Kind, Mark] => [
    media,
    mark(0, `\xff${second}`),
  ]),
  [media, mark(0, 'fLaC')],
  [media, mark(0, 'MThd\0')],
  [media, mark(0, 'FLV\x01')],
  [media, mark(0, '\0\0\x01\xba')],
  [pdf, mark(0, '%PDF-')],
  [document, mark(0, '%!PS')],
  [document, mark(0, '{\\rtf')],
  [document, mark(0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')],
  [archive, mark(0, 'PK\x03\x04')],
  [archive, mark(0, 'PK\x05\x06')],
  [archive, mark(0, '\x1f\x8b\x08')],
  [archive, mark(0, 'BZh'), mark(4, '1AY&SY')],
  [archive, mark(0, '\xfd7zXZ\0')],
  [archive, mark(0, '7z\xbc\xaf\x27\x1c')],
  [archive, mark(0, 'Rar!\x1a\x07')],
  [archive, mark(0, '(\xb5/\xfd')],
  [archive, mark(257, 'ustar')],
  [font, mark(0, 'wOFF')],
  [font, mark(0, 'wOF2')],
  [font, mark(0, 'OTTO\0')],
  [font, mark(0, 'ttcf\0')],
  [font, mark(0, '\0\x01\0\0\0')],
  [program, mark(0, '\x7fELF')],
  [program, mark(0, 'MZ'), mark(0x1c, '\0\0\0\0')],
  [program, mark(0, '\xcf\xfa\xed\xfe')],
  [program, mark(0, '\xca\xfe\xba\xbe')],
  [program, mark(0, '\0asm')],
];

export function detectType(start: Buffer): Kind | null {
  for (const [kind, ...marks] of known)
    if (marks.every(({ at, bytes }) => start.subarray(at, at + bytes.length).equals(bytes))) return kind;
  return isMarkup(start) ? markup : null;
}

/** With a byte order mark and white space before it, in eight bits or sixteen. */
function isMarkup(start: Buffer): boolean {
  const text = start.toString('latin1').replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '');
  return /^[\s\0]*<[\0]?[!?/a-z]/i.test(text);
}
