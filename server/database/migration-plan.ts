// Plan of a migration file: one transaction together with its ledger entry, or, where its first lines say `-- kanbase: no transaction`,
// statement by statement (as `create index concurrently` needs). Also finds the line of a failure.

import type { MigrationFile } from './read-migrations.ts';
import { type Statement, splitStatements, transactionStep } from './split-statements.ts';
import { PostgresError } from './types.ts';

export interface MigrationPlan {
  readonly file: MigrationFile;
  /** What is sent, each in a message of its own: one text, or every statement. */
  readonly parts: readonly Part[];
  readonly oneTransaction: boolean;
  /** Why it may not be run, in words for a person. */
  readonly problem: string | null;
}

interface Part {
  readonly text: string;
  readonly statements: readonly Statement[];
  /** The line on which the text begins. */
  readonly line: number;
}

export const noTransactionMark = '-- kanbase: no transaction';

export function planMigration(file: MigrationFile): MigrationPlan {
  const statements = splitStatements(file.text);
  const head = file.text.slice(0, statements[0]?.start ?? file.text.length);
  if (head.split('\n').some((line) => line.trim() === noTransactionMark))
    return {
      file,
      oneTransaction: false,
      problem: null,
      parts: statements.map((one) => ({ text: one.text, statements: [one], line: one.line })),
    };
  const control = statements.filter((statement) => transactionStep(statement) !== null);
  const text = isWrapped(statements, control) ? blankOut(file.text, control) : file.text;
  const rest = text === file.text ? control : [];
  return {
    file,
    oneTransaction: true,
    parts: [{ text, statements: statements.filter((one) => !control.includes(one)), line: 1 }],
    problem: rest.length === 0 ? null : describeControl(file, rest),
  };
}

/** A file that is one transaction from its first statement to its last means what we do with it anyway. */
function isWrapped(statements: readonly Statement[], control: readonly Statement[]): boolean {
  const [first, last] = [statements[0], statements.at(-1)];
  if (control.length !== 2 || first === undefined || last === undefined) return false;
  return transactionStep(first) === 'begin' && transactionStep(last) === 'end';
}

/** Lines and positions stay as they were. */
function blankOut(text: string, statements: readonly Statement[]): string {
  return statements.reduce(
    (left, { start, text: words }) =>
      `${left.slice(0, start)}${words.replaceAll(/[^\n]/g, ' ')}${left.slice(start + words.length)}`,
    text,
  );
}

function describeControl({ name, path }: MigrationFile, control: readonly Statement[]): string {
  const places = control.map(({ words, line }) => `${words[0]} on line ${line}`).join(', ');
  return (
    `Migration ${name} begins or ends transactions by itself (${places}); a file runs in one transaction, so that it is applied as a whole or not at all. ` +
    `Leave these statements out, or write "${noTransactionMark}" on a line at its top to have every statement run by itself (${path}).`
  );
}

/** The line of the file on which a part failed: where Postgres points to, else where the failing statement begins. */
export function failedLine(part: Part, error: unknown, completed: number): number | null {
  const position = error instanceof PostgresError ? Number(error.fields.position ?? Number.NaN) : Number.NaN;
  if (!Number.isNaN(position)) {
    const before = [...part.text].slice(0, position - 1).join('');
    return part.line + before.split('\n').length - 1;
  }
  return part.statements[completed]?.line ?? null;
}

export function describeFailure({ file, oneTransaction }: MigrationPlan, error: unknown, line: number | null): string {
  const message = error instanceof Error ? error.message : String(error);
  const extra =
    error instanceof PostgresError ? [error.detail, error.hint].filter((part) => part !== null).join(' ') : '';
  const left = oneTransaction
    ? 'Nothing of it was applied'
    : 'What stands before that line was applied and stays, since the file runs outside of a transaction; make it so that it can run again (if not exists), and mend that line';
  return `Migration ${file.name} failed${line === null ? '' : ` at line ${line}`}: ${message}${extra === '' ? '' : ` (${extra})`}. ${left} (${file.path}).`;
}
