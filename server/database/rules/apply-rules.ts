// Brings the rules of a database to what the files say, object by object: only what differs runs, all in one transaction, and what no file
// declares any more is dropped. Tables and columns are never touched: those belong to sql/tables.

import pg from 'pg';
import { PostgresError } from '../types.ts';
import type { Script } from '../wire/run-script.ts';
import { keyOf, type Rule, type RuleKind } from './read-rules.ts';
import { revokeAllRights, revokeRights } from './revoke-rights.ts';

/** What was applied of an object. */
export interface NotedRule {
  readonly kind: string;
  readonly name: string;
  readonly own: string;
  readonly checksum: string;
  readonly file: string;
  /** The declaration that made it; empty for what a file makes itself. */
  readonly partOf: string;
}

export const makeRuleLedger = `
  create table if not exists private.rules (
    kind text not null,
    name text not null,
    own text not null default '',
    checksum text not null,
    file text not null,
    part_of text not null default '',
    line integer not null default 0,
    text text not null default '',
    definition text,
    applied_at timestamptz not null default clock_timestamp(),
    primary key (kind, name, own)
  );
  alter table private.rules enable row level security;
  comment on table private.rules is 'Which objects the files of sql/rules have made, from which text, and how Postgres describes them: what is applied, for the next start, for backups and for the doctor.'`;

export async function readRuleLedger(script: Script): Promise<NotedRule[] | null> {
  const [there] = await script.run("select to_regclass('private.rules') is not null");
  if (there?.[0] !== 't') return null;
  const rows = await script.run('select kind, name, own, checksum, file, part_of from private.rules');
  return rows.map(([kind, name, own, checksum, file, partOf]) => ({
    ...{ kind: kind ?? '', name: name ?? '', own: own ?? '' },
    ...{ checksum: checksum ?? '', file: file ?? '', partOf: partOf ?? '' },
  }));
}

export interface RuleChanges {
  readonly changed: readonly Rule[];
  readonly gone: readonly NotedRule[];
}

/** `redo` says which are made anew although their text is the one that was applied. */
export function compareRules(
  rules: readonly Rule[],
  noted: readonly NotedRule[],
  redo: (key: string) => boolean = () => false,
): RuleChanges {
  const known = new Map(noted.map((one) => [keyOf(one), one]));
  const declared = new Set(rules.map(keyOf));
  return {
    changed: rules.filter((rule) => redo(keyOf(rule)) || known.get(keyOf(rule))?.checksum !== rule.checksum),
    gone: noted.filter((one) => one.partOf === '' && !declared.has(keyOf(one))),
  };
}

/** Objects that are noted and gone, as what stood on a function that a file of tables dropped; of a declaration, the declaration. */
export async function findMissing(script: Script): Promise<Set<string>> {
  const rows = await script.run(
    `select r.kind, r.name, r.own, r.part_of from private.rules r where r.kind in ('function', 'view', 'policy', 'trigger') and ${definitionOf} is null`,
  );
  return new Set(
    rows.map(([kind, name, own, of]) => of || keyOf({ kind: kind ?? '', name: name ?? '', own: own ?? '' })),
  );
}

/** Files whose rules would run, in order, each once. */
export const filesOf = ({ changed, gone }: RuleChanges): string[] =>
  [...new Set([...changed, ...gone].map(({ file }) => file))].sort();

/** Within a transaction of the caller's, which holds the lock of migrations. */
export async function applyRules(script: Script, changes: RuleChanges, noted: readonly NotedRule[]): Promise<void> {
  const { changed, gone } = changes;
  await script.run('set local check_function_bodies = off');
  const of = (...kinds: readonly RuleKind[]): Rule[] => changed.filter(({ kind }) => kinds.includes(kind));
  await runTogether(
    script,
    of('function', 'view').map((rule) => ({ rule, statements: [rule.made] })),
  );
  await script.run(
    holdTables(
      [...of('policy', 'trigger'), ...gone].map(({ name }) => name),
      of('declaration'),
    ),
  );
  await runTogether(script, [
    ...of('policy').map((rule) => ({ rule, statements: [dropOf('policy', rule), rule.made] })),
    // Postgres replaces any trigger but a constraint.
    ...of('trigger').map((rule) => ({
      rule,
      statements: [...(/^create constraint/i.test(rule.made) ? [dropOf('trigger', rule)] : []), rule.made],
    })),
  ]);
  const texts = await readTexts(script);
  const textOfNoted = (one: Parameters<typeof keyOf>[0]): string => texts.get(keyOf(one)) ?? '';
  const remade = new Set([...changed, ...gone].map((one) => keyOf(one)));
  const formerParts = noted.filter(({ partOf }) => remade.has(partOf));
  await script.run(revokeAllRights(changed.filter((one) => textOfNoted(one) === '')));
  await script.run(revokeRights([...changed, ...gone, ...formerParts].map(textOfNoted)));
  await runTogether(
    script,
    changed.map((rule) => ({ rule, statements: rule.after })),
  );
  const parts: NotedPart[] = [];
  for (const rule of of('declaration'))
    parts.push(
      ...partsOf(
        rule,
        (await run(script, rule, rule.made)).map(([made]) => made ?? ''),
      ),
    );
  for (const rule of of('data')) await run(script, rule, rule.made);
  const left = new Set([...changed, ...parts].map((one) => keyOf(one)));
  const orphans = [...gone, ...formerParts].filter((one) => !left.has(keyOf(one)));
  for (const one of inDropOrder(orphans)) await drop(script, one);
  await note(script, changed, parts, orphans);
}

/**
 * All tables whose policies and triggers change, at a moment at which no request uses any of them: one that waited for a table while it held another
 * would have the whole transaction begin again. Where no such moment comes, statements wait for their tables one by one.
 */
function holdTables(names: readonly string[], declarations: readonly Rule[]): string {
  const tables = [...names, ...declarations.map(({ own }) => own)].filter((name) => /^\w+\.\w+$/.test(name));
  return `do $hold$
    declare
      held constant text := (
        select string_agg(c.oid::regclass::text, ', ') from pg_catalog.pg_class c
        where c.relkind in ('r', 'p') and c.oid = any (array[${[...new Set(tables)].map((name) => `to_regclass(${pg.escapeLiteral(name)})`).join(', ')}]::oid[])
      );
      until constant timestamptz := clock_timestamp() + interval '10 seconds';
    begin
      while held is not null and clock_timestamp() < until loop
        begin
          execute format('lock table %s in access exclusive mode nowait', held);
          return;
        exception when lock_not_available then
          perform pg_sleep(0.003);
        end;
      end loop;
    end
    $hold$`;
}

async function readTexts(script: Script): Promise<Map<string, string>> {
  const rows = await script.run("select kind, name, own, text from private.rules where text <> ''");
  return new Map(
    rows.map(([kind, name, own, text]) => [keyOf({ kind: kind ?? '', name: name ?? '', own: own ?? '' }), text ?? '']),
  );
}

const dropOf = (kind: string, { own, name }: Rule): string => `drop ${kind} if exists ${own} on ${name}`;

interface Work {
  readonly rule: Rule;
  readonly statements: readonly string[];
}

/** In one message: on an empty database there are a thousand statements, which would each wait for the answer to the one before. */
async function runTogether(script: Script, work: readonly Work[]): Promise<void> {
  const all = work.flatMap(({ rule, statements }) =>
    statements.map((statement) => ({ rule, text: `${statement}\n;\n` })),
  );
  if (all.length === 0) return;
  try {
    await script.run(all.map(({ text }) => text).join(''));
  } catch (error) {
    throw explain(all[failedStatement(all, error) ?? script.completed()]?.rule, error);
  }
}

/** Where Postgres points to; what it cannot parse fails before anything is completed. */
function failedStatement(all: readonly { readonly text: string }[], error: unknown): number | null {
  let left = error instanceof PostgresError ? Number(error.fields.position ?? Number.NaN) : Number.NaN;
  if (Number.isNaN(left)) return null;
  return all.findIndex(({ text }) => {
    left -= [...text].length;
    return left <= 0;
  });
}

function run(script: Script, rule: Rule, text: string): Promise<(string | null)[][]> {
  return script.run(text).catch((error: unknown) => {
    throw explain(rule, error);
  });
}

function explain(rule: Rule | undefined, error: unknown): unknown {
  if (!(error instanceof PostgresError) || rule === undefined) return error;
  const extra = [error.detail, error.hint].filter((part) => part !== null).join(' ');
  // What may not be replaced in place: another type of result, other names of arguments, other columns of a view.
  const advice = ['42P13', '42P16'].includes(error.sqlstate)
    ? ` Postgres does not replace it so: give it another name, or write "drop ${rule.kind} if exists ${rule.name}" into a new file of sql/tables.`
    : '';
  return new Error(
    `The rule ${keyOf(rule)} failed (sql/${rule.file}, line ${rule.line}): ${error.message}${extra === '' ? '' : ` (${extra})`}.${advice} Nothing of the rules was applied.`,
    { cause: error },
  );
}

/** What a declaration has made, with its grants as one text, which is taken back as those of files are. */
type NotedPart = NotedRule & { readonly text: string };

/** A declaration answers with what it made: `policy read on public.task_labels`, `grant select on public.task_labels to anon`. */
function partsOf(rule: Rule, answers: readonly string[]): NotedPart[] {
  const shared = { checksum: rule.checksum, file: rule.file, partOf: keyOf(rule) };
  const made = answers.flatMap((answer) => {
    const [, kind = '', own = '', name = ''] = /^(policy|trigger) (\S+) on (\S+)$/.exec(answer) ?? [];
    return kind === '' ? [] : [{ kind, name, own, ...shared, text: '' }];
  });
  const grants = answers.filter((answer) => answer.startsWith('grant '));
  if (grants.length === 0) return made;
  return [...made, { kind: 'rights', name: rule.own, own: rule.name, ...shared, text: `${grants.join(';\n')};` }];
}

const dropOrder = ['trigger', 'policy', 'view', 'function'];
const inDropOrder = (objects: readonly NotedRule[]): NotedRule[] =>
  objects
    .filter(({ kind }) => dropOrder.includes(kind))
    .sort((one, other) => dropOrder.indexOf(one.kind) - dropOrder.indexOf(other.kind));

async function drop(script: Script, { kind, name, own, file }: NotedRule): Promise<void> {
  const what = own === '' ? `${kind} if exists ${name}` : `${kind} if exists ${own} on ${name}`;
  try {
    await script.run(`drop ${what}`);
  } catch (error) {
    if (!(error instanceof PostgresError)) throw error;
    throw new Error(
      `${kind} ${name} is declared no more (it was in sql/${file}), and cannot be dropped: ${error.message}${error.detail === null ? '' : ` (${error.detail})`}. Nothing of the rules was applied.`,
      { cause: error },
    );
  }
}

/** How Postgres describes an object, so that a change made by hand can be found; by major version, for wordings differ. */
export const definitionOf = `current_setting('server_version_num')::int / 10000 || ' ' || md5(case r.kind
  when 'function' then pg_catalog.pg_get_functiondef(to_regprocedure(r.name))
  when 'view' then (select concat_ws(' ', c.reloptions::text, pg_catalog.pg_get_viewdef(c.oid)) from pg_catalog.pg_class c where c.oid = to_regclass(r.name))
  when 'policy' then (
    select concat_ws(' / ', p.polcmd, p.polpermissive, array(select o.rolname from pg_catalog.pg_roles o where o.oid = any (p.polroles) order by 1)::text,
      pg_catalog.pg_get_expr(p.polqual, p.polrelid), pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid))
    from pg_catalog.pg_policy p where p.polrelid = to_regclass(r.name) and p.polname = r.own)
  when 'trigger' then (
    select t.tgenabled::text || pg_catalog.pg_get_triggerdef(t.oid) from pg_catalog.pg_trigger t where t.tgrelid = to_regclass(r.name) and t.tgname = r.own)
  end)`;

async function note(
  script: Script,
  changed: readonly Rule[],
  parts: readonly NotedPart[],
  gone: readonly NotedRule[],
): Promise<void> {
  const made = changed.map((rule) => ({ ...rule, partOf: '', text: textOf(rule) }));
  const values = [...made, ...parts.map((part) => ({ ...part, line: 0 }))].map(
    ({ kind, name, own, checksum, file, partOf, line, text }) =>
      `(${[kind, name, own, checksum, file, partOf].map((text) => pg.escapeLiteral(text)).join(', ')}, ${line}, ${pg.escapeLiteral(text)})`,
  );
  if (values.length > 0)
    await script.run(`insert into private.rules (kind, name, own, checksum, file, part_of, line, text) values ${values.join(',\n')}
      on conflict (kind, name, own) do update
      set checksum = excluded.checksum, file = excluded.file, part_of = excluded.part_of, line = excluded.line, text = excluded.text, applied_at = clock_timestamp()`);
  if (gone.length > 0)
    await script.run(
      `delete from private.rules r using (values ${gone
        .map(({ kind, name, own }) => `(${[kind, name, own].map((text) => pg.escapeLiteral(text)).join(', ')})`)
        .join(', ')}) as g (kind, name, own) where (r.kind, r.name, r.own) = (g.kind, g.name, g.own)`,
    );
  await script.run(`update private.rules r set definition = ${definitionOf}
    where r.kind in ('function', 'view', 'policy', 'trigger')`);
}

/** As it stands in its file, but for comments between statements. */
const textOf = ({ made, after }: Rule): string =>
  [made, ...after].flatMap((statement) => (statement === '' ? [] : `${statement};`)).join('\n');
