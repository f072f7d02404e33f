// One object for each statement text under a role, shared by all connections: the key of their prepared statements.

import { Shape } from './wire/exchange.ts';

/** Shapes kept for a role at most; past it the oldest half is dropped and would be prepared anew. */
const limit = 4096;
/** Longer texts are not kept: many of them would fill memory, and none is prepared by name. */
const longest = 32 * 1024;

export class ShapeCache {
  readonly #roles = new Map<string, Map<string, Shape>>();

  of(role: string, text: string): Shape {
    if (text.length > longest) return new Shape(text, role);
    let texts = this.#roles.get(role);
    if (texts === undefined) {
      texts = new Map();
      // Roles come from tokens: a flood of names must not fill memory.
      if (this.#roles.size >= 256) this.#roles.clear();
      this.#roles.set(role, texts);
    }
    let shape = texts.get(text);
    if (shape === undefined) {
      if (texts.size >= limit) {
        let drop = limit / 2;
        for (const old of texts.keys()) {
          if (drop-- === 0) break;
          texts.delete(old);
        }
      }
      shape = new Shape(text, role);
      texts.set(text, shape);
    }
    return shape;
  }
}
