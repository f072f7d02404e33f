// Protocol messages written into one growing buffer, so that everything for a request leaves in a single write.

import { PostgresError, type Value } from '../types.ts';

const initialSize = 16 * 1024;
/** A buffer that had to grow for one big body is not kept. */
const mostFreeSize = 256 * 1024;

function nulInText(): PostgresError {
  return new PostgresError('22021', 'invalid byte sequence for encoding "UTF8": 0x00', null, null);
}

export class Writer {
  #bytes = Buffer.allocUnsafeSlow(initialSize);
  #end = 0;

  get length(): number {
    return this.#end;
  }

  /** The bytes written so far. They stay valid until `reuse` or `replace`. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#end);
  }

  /** Forgets what was written after the first `length` bytes. */
  truncate(length: number): void {
    this.#end = length;
  }

  /** The bytes have left: the buffer is ours again. */
  reuse(): void {
    this.#end = 0;
    if (this.#bytes.length > mostFreeSize) this.#bytes = Buffer.allocUnsafeSlow(initialSize);
  }

  /** Somebody still holds the bytes: go on with a new buffer. */
  replace(): void {
    this.#bytes = Buffer.allocUnsafeSlow(initialSize);
    this.#end = 0;
  }

  parse(name: string, text: string): void {
    const start = this.#open(0x50);
    this.#string(name);
    this.#string(text);
    this.#room(2);
    this.#int16(0);
    this.#close(start);
  }

  bind(name: string, values: readonly Value[]): void {
    const start = this.#open(0x42);
    this.#room(1);
    this.#bytes[this.#end++] = 0;
    this.#string(name);
    const count = values.length;
    let binary = false;
    for (let index = 0; index < count; index++) {
      const value = values[index];
      if (value !== null && typeof value !== 'string') binary = true;
    }
    this.#room(6 + count * 2);
    if (binary) {
      this.#int16(count);
      for (const value of values) this.#int16(value !== null && typeof value !== 'string' ? 1 : 0);
    } else this.#int16(0);
    this.#int16(count);
    for (let index = 0; index < count; index++) this.#value(values[index] as Value);
    this.#room(2);
    this.#int16(0);
    this.#close(start);
  }

  describeStatement(name: string): void {
    this.#named(0x44, 0x53, name);
  }

  closeStatement(name: string): void {
    this.#named(0x43, 0x53, name);
  }

  /** Runs the unnamed portal; `rows` 0 is all of them. */
  execute(rows = 0): void {
    const start = this.#open(0x45);
    this.#room(5);
    this.#bytes[this.#end++] = 0;
    this.#int32(rows);
    this.#close(start);
  }

  sync(): void {
    this.#close(this.#open(0x53));
  }

  query(text: string): void {
    const start = this.#open(0x51);
    this.#string(text);
    this.#close(start);
  }

  copyData(bytes: Buffer): void {
    const start = this.#open(0x64);
    this.#raw(bytes);
    this.#close(start);
  }

  copyDone(): void {
    this.#close(this.#open(0x63));
  }

  terminate(): void {
    this.#close(this.#open(0x58));
  }

  password(bytes: Buffer | string): void {
    const start = this.#open(0x70);
    if (typeof bytes === 'string') this.#string(bytes);
    else this.#raw(bytes);
    this.#close(start);
  }

  saslInitial(mechanism: string, first: string): void {
    const start = this.#open(0x70);
    this.#string(mechanism);
    this.#value(first);
    this.#close(start);
  }

  startup(parameters: Readonly<Record<string, string>>): void {
    const start = this.#untyped();
    this.#int32(196_608);
    for (const [name, value] of Object.entries(parameters)) {
      this.#string(name);
      this.#string(value);
    }
    this.#room(1);
    this.#bytes[this.#end++] = 0;
    this.#close(start);
  }

  sslRequest(): void {
    const start = this.#untyped();
    this.#int32(80_877_103);
    this.#close(start);
  }

  cancelRequest(pid: number, secret: Buffer): void {
    const start = this.#untyped();
    this.#int32(80_877_102);
    this.#int32(pid);
    this.#raw(secret);
    this.#close(start);
  }

  #named(type: number, kind: number, name: string): void {
    const start = this.#open(type);
    this.#room(1);
    this.#bytes[this.#end++] = kind;
    this.#string(name);
    this.#close(start);
  }

  #open(type: number): number {
    this.#room(16);
    this.#bytes[this.#end] = type;
    this.#end += 5;
    return this.#end - 4;
  }

  #untyped(): number {
    this.#room(32);
    this.#end += 4;
    return this.#end - 4;
  }

  /** Puts the length of the message that began at `start` in its place. */
  #close(start: number): void {
    const end = this.#end;
    this.#end = start;
    this.#int32(end - start);
    this.#end = end;
  }

  #value(value: Value): void {
    if (value === null) {
      this.#room(4);
      this.#int32(-1);
    } else if (typeof value === 'string') {
      this.#room(4 + (value.length < 65_536 ? value.length * 3 : Buffer.byteLength(value)));
      const start = this.#end;
      this.#end += 4;
      this.#text(value);
      const end = this.#end;
      this.#end = start;
      this.#int32(end - start - 4);
      this.#end = end;
    } else {
      this.#room(4);
      this.#int32(value.length);
      this.#raw(value);
    }
  }

  #string(value: string): void {
    // The byte that ends a string on the wire cannot stand inside one.
    if (value.includes('\0')) throw nulInText();
    this.#room(value.length * 3 + 1);
    this.#text(value);
    this.#bytes[this.#end++] = 0;
  }

  /** UTF-8 without asking for room. Short ASCII is quicker by hand than through the runtime. */
  #text(value: string): void {
    const length = value.length;
    if (length < 24) {
      const bytes = this.#bytes;
      let end = this.#end;
      let index = 0;
      for (; index < length; index++) {
        const code = value.charCodeAt(index);
        if (code > 127) break;
        bytes[end++] = code;
      }
      if (index === length) {
        this.#end = end;
        return;
      }
    }
    this.#end += this.#bytes.write(value, this.#end);
  }

  #raw(value: Buffer): void {
    this.#room(value.length);
    value.copy(this.#bytes, this.#end);
    this.#end += value.length;
  }

  #int16(value: number): void {
    const bytes = this.#bytes;
    bytes[this.#end++] = value >> 8;
    bytes[this.#end++] = value;
  }

  #int32(value: number): void {
    const bytes = this.#bytes;
    bytes[this.#end++] = value >> 24;
    bytes[this.#end++] = value >> 16;
    bytes[this.#end++] = value >> 8;
    bytes[this.#end++] = value;
  }

  #room(more: number): void {
    const needed = this.#end + more;
    if (needed <= this.#bytes.length) return;
    let size = this.#bytes.length * 2;
    while (size < needed) size *= 2;
    const grown = Buffer.allocUnsafeSlow(size);
    this.#bytes.copy(grown, 0, 0, this.#end);
    this.#bytes = grown;
  }
}
