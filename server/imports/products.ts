// Every product that can be imported from, how its files are told from others, and who reads them.

import { fromCsv } from './from/csv.ts';
import { fromGitHub, isGitHub } from './from/github.ts';
import type { Choices } from './from/table.ts';
import { fromTrello, isTrello } from './from/trello.ts';
import { type Read, UnreadableFile } from './neutral.ts';
import { readTable, type Table, textOf } from './read-table.ts';

interface JsonProduct {
  readonly name: string;
  readonly of: 'json';
  recognise(value: unknown): boolean;
  read(value: unknown): Read;
}

interface TableProduct {
  readonly name: string;
  readonly of: 'table';
  /** Column names, lower-cased, that together occur in no other product's file. */
  readonly signature: readonly string[];
  read(table: Table, choices: Choices & { readonly fileName?: string }): Read;
}

export const products: readonly (JsonProduct | TableProduct)[] = [
  { name: 'trello', of: 'json', recognise: isTrello, read: fromTrello },
  { name: 'github', of: 'json', recognise: isGitHub, read: fromGitHub },
  // Last: any table is one of these.
  { name: 'csv', of: 'table', signature: [], read: fromCsv },
];

/** Larger files are refused before they are read. */
export const mostBytes = 256 * 1024 * 1024;

export interface Recognised {
  readonly product: string;
  /** The columns, where the file is a table. */
  readonly table: Table | null;
  readonly read: Read;
}

/** Reads a file as one of the product named, or of the one that it seems to come from. */
export async function readFile(
  bytes: Buffer,
  choices: Choices & { readonly from?: string | null; readonly fileName?: string } = {},
): Promise<Recognised> {
  if (bytes.length > mostBytes) throw new UnreadableFile(`The file is larger than ${mostBytes / 1024 / 1024} MB.`);
  const named = products.find(({ name }) => name === choices.from);
  if (choices.from && named === undefined)
    throw new UnreadableFile(
      `Nothing is known of ${choices.from}: choose ${products.map(({ name }) => name).join(', ')}.`,
    );
  const first = /\S/.exec(textOf(bytes.subarray(0, 4096)).replace('\ufeff', ''))?.[0];
  if (named ? named.of === 'json' : first === '{' || first === '[') {
    const value = jsonOf(bytes);
    const product = named ?? products.find((one) => one.of === 'json' && one.recognise(value));
    if (product?.of !== 'json') throw new UnreadableFile('This JSON comes from no product that is known here.');
    return { product: product.name, table: null, read: product.read(value) };
  }
  const table = await readTable(bytes);
  const header = new Set(table.header.map((name) => name.toLowerCase()));
  const product =
    named ?? products.find((one) => one.of === 'table' && one.signature.every((name) => header.has(name)));
  if (product?.of !== 'table') throw new UnreadableFile('The file is no table.');
  return { product: product.name, table, read: product.read(table, choices) };
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(
      textOf(bytes)
        .replace(/^\ufeff/, '')
        .replaceAll('\\u0000', ''),
    );
  } catch (error) {
    throw new UnreadableFile(`The file is no JSON: ${(error as Error).message.slice(0, 200)}`);
  }
}
