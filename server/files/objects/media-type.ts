// Media types and caching, which go into the heads of downloads as they are: what may stand there, whether it comes in now or was stored before.

export const anyBytes = 'application/octet-stream';

const longest = 255;
/** No comma anywhere, not even in quotes: browsers part the header there, and take the last type they find. */
const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+( *; *[\w!#$%&'*+.^`|~-]+=([\w!#$%&'*+.^`|~-]+|"[ !#-+--[\]-~]*"))*$/;

export function isMediaType(type: unknown): type is string {
  return typeof type === 'string' && type.length <= longest && mediaType.test(type);
}

/** Without parameters that cannot stay (`video/webm;codecs=vp8,opus`); what is none even so is sent as bytes of any kind, which no browser shows. */
export function cleanType(type: unknown): string {
  if (isMediaType(type)) return type;
  const bare = typeof type === 'string' ? type.split(';', 1)[0]?.trim() : '';
  return isMediaType(bare) ? bare : anyBytes;
}

/** Without its parameters. */
export function bareOf(type: string): string {
  return type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export function isCaching(text: unknown): text is string {
  return typeof text === 'string' && /^[\w ,=-]+$/.test(text);
}
