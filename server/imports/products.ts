// Every product that can be imported from, how its files are told from others, and who reads them.

import { type FieldName, guessFields } from './fields.ts';
import { type FilesOfImport, withFiles } from './files-in-zip.ts';
import { asana } from './from/asana.ts';
import { csv } from './from/csv.ts';
import { fromGitHub, isGitHub } from './from/github.ts';
import { fromGitLab, gitlabTable, isGitLab } from './from/gitlab.ts';
import { jira } from './from/jira.ts';
import { object } from './from/json.ts';
import { fromKanbase, isKanbase, wholeFromKanbase } from './from/kanbase.ts';
import { linear } from './from/linear.ts';
import { plane } from './from/plane.ts';
import { fromPlanka, isPlanka } from './from/planka.ts';
import { type Choices, fromTable, rowsShown, type TableFormat } from './from/table.ts';
import { ticktick } from './from/ticktick.ts';
import { todoist } from './from/todoist.ts';
import { fromTrello, isTrello } from './from/trello.ts';
import { fromVikunja, isVikunja } from './from/vikunja.ts';
import { fromWekan, isWekan } from './from/wekan.ts';
import { readDocument } from './json-document.ts';
import { MemoryCounter, type MemoryLimits } from './memory-limits.ts';
import { type Read, type Row, UnreadableFile } from './neutral.ts';
import { readRows } from './read-rows.ts';
import { decoderFor, readTable, type Table, utf8Of } from './read-table.ts';
import { type Given, openSource, type Source } from './source.ts';
import { readWhole, wholeOf } from './whole-project.ts';

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
  readonly format: TableFormat;
}

export const products: readonly (JsonProduct | TableProduct)[] = [
  { name: 'kanbase', of: 'json', recognise: isKanbase, read: fromKanbase },
  { name: 'wekan', of: 'json', recognise: isWekan, read: fromWekan },
  { name: 'trello', of: 'json', recognise: isTrello, read: fromTrello },
  { name: 'github', of: 'json', recognise: isGitHub, read: fromGitHub },
  { name: 'gitlab', of: 'json', recognise: isGitLab, read: fromGitLab },
  { name: 'vikunja', of: 'json', recognise: isVikunja, read: fromVikunja },
  { name: 'planka', of: 'json', recognise: isPlanka, read: fromPlanka },
  { name: 'jira', of: 'table', signature: ['summary', 'issue key', 'status'], format: jira },
  { name: 'linear', of: 'table', signature: ['team', 'title', 'cycle number', 'canceled'], format: linear },
  { name: 'asana', of: 'table', signature: ['task id', 'section/column', 'last modified'], format: asana },
  { name: 'todoist', of: 'table', signature: ['type', 'content', 'indent'], format: todoist },
  { name: 'gitlab', of: 'table', signature: ['issue id', 'author username', 'created at (utc)'], format: gitlabTable },
  { name: 'plane', of: 'table', signature: ['project identifier', 'sequence id', 'state name'], format: plane },
  {
    name: 'ticktick',
    of: 'table',
    signature: ['list name', 'title', 'is check list', 'created time'],
    format: ticktick,
  },
  // Last: any table is one of these.
  { name: 'csv', of: 'table', signature: [], format: csv },
];

/** As people choose among them. */
export const productNames: readonly string[] = [...new Set(products.map(({ name }) => name))];

/** What is read of a file, unpacked, unless the settings say otherwise. */
export const mostBytes = 256 * 1024 * 1024;

export interface Recognised {
  readonly product: string;
  /** The columns as they are mapped, where the file is a table. */
  readonly table: Table | null;
  /** What each column is taken for. */
  readonly mapping: readonly FieldName[] | null;
  readonly read: Read;
  /** What came beside it in a zip, to be read until it is closed. */
  readonly files: FilesOfImport | null;
  close(): void;
}

interface FileChoices extends Choices {
  readonly from?: string | null;
  readonly mostBytes?: number;
  /** Of a zip, the file that is to be read. */
  readonly part?: string | null;
  /** It is to be a new project: one of ours is then read as the rows it consists of. */
  readonly isNew?: boolean;
  /** Where others are served meanwhile. */
  readonly mostAtOnce?: MemoryLimits;
  /** Only the product is asked for: of a table no task is made. */
  readonly isOnlyRecognised?: boolean;
}

/** Reads a file (bytes, or the path of it) as one of the product named, or of the one that it seems to come from. */
export async function readFile(given: Given, choices: FileChoices = {}): Promise<Recognised> {
  const named = products.filter(({ name }) => name === choices.from);
  if (choices.from && named.length === 0)
    throw new UnreadableFile(`Nothing is known of ${choices.from}: choose ${productNames.join(', ')}.`);
  const { fileName = '', part = null } = choices;
  const source = await openSource(given, {
    fileName,
    part,
    mostBytes: choices.mostBytes ?? mostBytes,
    atOnce: atOnceOf(choices),
  });
  try {
    const { files } = source;
    const recognised = await readSource(source, named, choices);
    const read = withFiles(recognised.read, files?.names ?? []);
    return { ...recognised, read, files, close: source.close };
  } catch (error) {
    source.close();
    throw error;
  }
}

const atOnceOf = ({ mostAtOnce }: FileChoices): MemoryCounter | null =>
  mostAtOnce === undefined ? null : new MemoryCounter(mostAtOnce);

async function readSource(
  source: Source,
  named: readonly (JsonProduct | TableProduct)[],
  choices: FileChoices,
): Promise<Omit<Recognised, 'files' | 'close'>> {
  const { fileName } = source;
  const ours = named.every(({ name }) => name === 'kanbase') ? await readOurs(source, choices) : null;
  if (ours !== null) return { product: 'kanbase', table: null, mapping: null, read: ours };
  const atOnce = atOnceOf(choices);
  const encoded = await decoderFor(source);
  const first = /\S/.exec(encoded.start.replace('\ufeff', ''))?.[0];
  if (first === '{' || first === '[' || (named.length > 0 && named.every(({ of }) => of === 'json'))) {
    const value = readDocument(utf8Of(await source.all()), atOnce);
    const product =
      named.find((one) => one.of === 'json') ?? products.find((one) => one.of === 'json' && one.recognise(value));
    if (product?.of !== 'json')
      throw new UnreadableFile(
        `This JSON isn’t an export that can be read here. Known are ${productNames.slice(0, -1).join(', ')} and any table (CSV).`,
      );
    const read =
      choices.isNew && isKanbase(value)
        ? wholeFromKanbase(value as object, wholeOf(object(value, 'tables'), source))
        : product.read(value);
    return { product: product.name, table: null, mapping: null, read };
  }
  const keepsRows = !choices.isOnlyRecognised;
  const whole = await readTable(source, encoded, { atOnce, keepsRows });
  const header = new Set(whole.header.map((name) => name.toLowerCase()));
  const has = (one: (typeof products)[number]): boolean =>
    one.of === 'table' && one.signature.every((name) => header.has(name));
  const product = named.find(({ of }) => of === 'table') ?? products.find(has);
  if (product?.of !== 'table') throw new UnreadableFile('The file is no table.');
  const { format, name, signature } = product;
  const missing = signature.filter((column) => !header.has(column));
  if (missing.length > 0)
    throw new UnreadableFile(`This is no table as ${name} exports it: it has no column ${missing.join(', ')}.`);
  const table = format.prepare?.(whole) ?? whole;
  const mapping = choices.mapping ?? guessFields(table.header, format.columns);
  const read = fromTable(format, table, { ...choices, fileName, mapping });
  // Large ones are let go once they are tasks.
  return { product: name, table: { ...table, rows: table.rows.slice(0, rowsShown) }, mapping, read };
}

/** Null where it is not ours, or not as we wrote it. */
async function readOurs(source: Source, choices: FileChoices): Promise<Read | null> {
  const atOnce = atOnceOf(choices);
  if (choices.isNew) {
    const found = await readWhole(source, atOnce);
    return found === null ? null : wholeFromKanbase(found.about, found.whole);
  }
  const tables: Record<string, Row[]> = {};
  const about = await readRows(
    await source.stream(),
    (name) => {
      tables[name] = [];
    },
    (name, row, line) => {
      atOnce?.takeJson(line);
      tables[name]?.push(row);
    },
  );
  return about === null ? null : fromKanbase({ ...about, tables });
}
