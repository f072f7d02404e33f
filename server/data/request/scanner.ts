// A cursor over one query parameter. Parsers return null where they do not match and leave a note of what was
// expected; when nothing matches, the note farthest to the right tells the caller where and why.

import { DataError } from '../errors.ts';

const NAME_CHARACTERS = /[A-Za-z0-9_ $]+/y;
const NAME_CHARACTERS_UNICODE = /[\p{L}0-9_ $]+/uy;
const JSON_KEY = /[^(\-:.,>)]+/y;
const FIELD_NAME = 'field name (* or [a..z0..9_$])';

export class Scanner {
  position = 0;
  #farthest = 0;
  #unexpected: string | null = null;
  #expected: string[] = [];

  constructor(
    readonly text: string,
    /** What the parameter is called in an error: "filter", "select parameter". */
    readonly subject: string,
  ) {}

  get done(): boolean {
    return this.position >= this.text.length;
  }

  peek(): string {
    return this.text.charAt(this.position);
  }

  /** Notes what could have stood here; only the farthest place counts. */
  expected(...what: string[]): null {
    return this.expectedAt(this.position, null, ...what);
  }

  expectedAt(position: number, unexpected: string | null, ...what: string[]): null {
    if (position < this.#farthest) return null;
    if (position > this.#farthest) {
      this.#farthest = position;
      this.#unexpected = null;
      this.#expected = [];
    }
    this.#unexpected ??= unexpected;
    for (const one of what) if (!this.#expected.includes(one)) this.#expected.push(one);
    return null;
  }

  get farthest(): number {
    return this.#farthest;
  }

  /** The first character from `position` on that is not `word`'s: what a reader of that word trips over. */
  unlike(word: string, position: number): string {
    let index = 0;
    while (index < word.length && this.text.charAt(position + index) === word.charAt(index)) index++;
    const found = this.text.charAt(position + index);
    return found === '' ? 'end of input' : JSON.stringify(found);
  }

  /** The same, in place of what was noted there before. */
  insteadAt(position: number, unexpected: string | null, ...what: string[]): null {
    if (position === this.#farthest) {
      this.#unexpected = null;
      this.#expected = [];
    }
    return this.expectedAt(position, unexpected, ...what);
  }

  fault(): DataError {
    const at = Math.max(this.#farthest, 0);
    const expected = this.#expected;
    const character = this.text.charAt(at);
    // PostgREST quotes what stands where the text could have ended as a character, all else as a text.
    const quoted = expected.includes('end of input') ? `'${character}'` : JSON.stringify(character);
    const found = this.#unexpected ?? (character === '' ? null : quoted);
    const list =
      expected.length > 1 ? `${expected.slice(0, -1).join(', ')} or ${expected[expected.length - 1]}` : expected[0];
    return new DataError('PGRST100', {
      message: `"failed to parse ${this.subject} (${this.text})" (line 1, column ${at + 1})`,
      details: `unexpected ${found ?? 'end of input'}${list === undefined ? '' : ` expecting ${list}`}`,
    });
  }

  /** Takes `text` if it stands here. */
  take(text: string): boolean {
    if (!this.text.startsWith(text, this.position)) return false;
    this.position += text.length;
    return true;
  }

  /** Takes `text` or notes that it was expected. */
  need(text: string, label = `"${text}"`): boolean {
    if (this.take(text)) return true;
    this.expected(label);
    return false;
  }

  spaces(): void {
    while (this.peek() === ' ' || this.peek() === '\t') this.position++;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.position;
    const match = pattern.exec(this.text);
    if (match === null) return null;
    this.position = pattern.lastIndex;
    return match[0];
  }

  #nameCharacters(): string | null {
    const start = this.position;
    const plain = this.#match(NAME_CHARACTERS);
    if (this.text.charCodeAt(this.position) > 127) {
      this.position = start;
      return this.#match(NAME_CHARACTERS_UNICODE) ?? plain;
    }
    return plain;
  }

  /** Letters, digits, `_`, `$` and spaces: what may stand in a cast or a language. */
  identifier(): string | null {
    const found = this.#nameCharacters();
    return found === null ? this.expected('letter', 'digit') : found.trim();
  }

  quoted(): string | null {
    const { text } = this;
    if (text.charCodeAt(this.position) !== 34) return null;
    let value = '';
    let from = this.position + 1;
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 92) {
        value += text.slice(from, at);
        at++;
        from = at;
      } else if (code === 34) {
        this.position = at + 1;
        return value + text.slice(from, at);
      }
    }
    return this.expectedAt(text.length, null, '"\\""');
  }

  /** A column, relation, function or alias name; dashes may stand inside, an arrow ends it. */
  name(): string | null {
    if (this.peek() === '"') return this.quoted();
    return this.#dashed(() => this.#nameCharacters(), FIELD_NAME);
  }

  jsonKey(): string | null {
    if (this.peek() === '"') return this.quoted();
    return this.#dashed(() => this.#match(JSON_KEY), 'any non reserved character different from: .,>()');
  }

  #dashed(part: () => string | null, label: string): string | null {
    const first = part();
    if (first === null) return this.expected(label);
    let name = first.trim();
    while (this.peek() === '-' && this.text.charAt(this.position + 1) !== '>') {
      const before = this.position++;
      const next = part();
      if (next === null) {
        this.position = before;
        break;
      }
      name += `-${next.trim()}`;
    }
    return name;
  }
}
