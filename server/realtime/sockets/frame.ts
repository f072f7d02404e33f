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
