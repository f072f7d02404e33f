// SQL fragments: text with its bound values, composed without ever pasting a value into text.
//
//   sql`select * from auth.users where email = ${email} ${onlyConfirmed}`
//
// A fragment inside a template is spliced in; anything else becomes a bound parameter.

import type { Statement, Value } from './types.ts';

export class Fragment {
  constructor(
    readonly strings: readonly string[],
    readonly parts: readonly (Fragment | Value)[],
  ) {}
}

type Bindable = Fragment | Value | number | boolean | Date | object | undefined;

/** Numbers, booleans and dates become text; plain objects and arrays become JSON; undefined becomes null. */
function bind(value: Bindable): Fragment | Value {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || value instanceof Fragment || Buffer.isBuffer(value)) return value;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}

export function sql(strings: TemplateStringsArray, ...values: Bindable[]): Fragment {
  return new Fragment(strings, values.map(bind));
}

/** Text known at build time (an operator, a keyword). Never from input. */
export function raw(text: string): Fragment {
  return new Fragment([text], []);
}

/** A quoted identifier, or a dotted path of them. */
export function ident(...path: string[]): Fragment {
  return raw(path.map((name) => `"${name.replaceAll('"', '""')}"`).join('.'));
}

/** Fragments one after the other, with text known at build time between them. */
export function join(fragments: readonly Fragment[], separator = ', '): Fragment {
  if (fragments.length === 0) return raw('');
  return new Fragment(['', ...Array<string>(fragments.length - 1).fill(separator), ''], fragments);
}

/** Flattens a fragment into `$1`-numbered text and its values. */
export function statement(fragment: Fragment): Statement {
  const values: Value[] = [];
  const write = (piece: Fragment): string => {
    let text = piece.strings[0] ?? '';
    piece.parts.forEach((part, index) => {
      if (part instanceof Fragment) text += write(part);
      else {
        values.push(part);
        text += `$${values.length}`;
      }
      text += piece.strings[index + 1] ?? '';
    });
    return text;
  };
  return { text: write(fragment), values };
}
