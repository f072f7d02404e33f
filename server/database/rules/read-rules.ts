// The rules of the database as the files of sql/rules and sql/data declare them: one bundle an object, which is the statement that makes it
// with the grants and comments about it. Objects are told apart by name, so that a file may be split or renamed without a word to Postgres.
// A folder of JSON in sql/data is read as one statement, which hands all of it to a function.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { type Statement, splitStatements } from '../split-statements.ts';

export type RuleKind = 'function' | 'view' | 'policy' | 'trigger' | 'rights' | 'declaration' | 'data';

export interface Rule {
  readonly kind: RuleKind;
  /** `schema.function(types)`, `schema.view`, the table of a policy, a trigger or rights, what a declaration calls, the file of data. */
  readonly name: string;
  /** Of a policy or trigger: its own name; of a declaration: its arguments. */
  readonly own: string;
  /** Below sql/, with slashes. */
  readonly file: string;
  readonly line: number;
  /** What makes the object; empty for rights. */
  readonly made: string;
  /** Grants and comments, which follow. */
  readonly after: readonly string[];
  /** Names of functions and views that must be there before. */
  readonly needs: readonly string[];
  readonly checksum: string;
}

/** A file under sql/rules that says something which is not a rule. */
export class RuleRefused extends Error {
  constructor(file: string, line: number, problem: string) {
    super(`sql/${file}, line ${line}: ${problem}`);
    this.name = 'RuleRefused';
  }
}

export const keyOf = ({ kind, name, own }: { kind: string; name: string; own: string }): string =>
  [kind, own, name].filter((part) => part !== '').join(' ');

/** Of the directory that was read last: a start asks several times, and the files stay the same. */
let last: { readonly texts: string; readonly rules: readonly Rule[] } | null = null;

/** Empty where the directory has neither rules nor data, as that of an archive from before there were any. */
export function readRules(directory: string): readonly Rule[] {
  const files = readRuleFiles(directory);
  const texts = files.map(({ file, text }) => `${file}\n${text}`).join('\n');
  if (last?.texts === texts) return last.rules;
  const found = files.flatMap(({ file, text }) =>
    file.startsWith('data/') ? [readData(file, text)] : readFile(file, text),
  );
  const known = new Map<string, Rule>();
  for (const rule of found) {
    const twin = known.get(keyOf(rule));
    if (twin !== undefined)
      throw new RuleRefused(rule.file, rule.line, `${keyOf(rule)} stands in ${twin.file}, line ${twin.line}, too`);
    known.set(keyOf(rule), rule);
  }
  const rules = inOrder(withDeclarers(found));
  last = { texts, rules };
  return rules;
}

/** All of them as SQL, by their names below the directory. */
function readRuleFiles(directory: string): { file: string; text: string }[] {
  const read = (path: string): string => readFileSync(path, 'utf8');
  const named = (path: string): string => slashed(relative(directory, path));
  const sql = ['rules', 'data'].flatMap((room) => filesBelow(join(directory, room), '.sql'));
  const json = filesBelow(join(directory, 'data'), '.json');
  return [
    ...sql.map((path) => ({ file: named(path), text: read(path) })),
    ...[...new Set(json.map(dirname))].map((folder) => {
      const inside = json.filter((path) => dirname(path) === folder);
      const all = inside.map((path) => [basename(path, '.json'), parseJson(named(path), read(path))]);
      const text = `select private.save_${basename(folder)}($json$${JSON.stringify(Object.fromEntries(all))}$json$);\n`;
      return { file: `${named(folder)}.sql`, text };
    }),
  ];
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RuleRefused(file, 1, error instanceof Error ? error.message : String(error));
  }
}

const slashed = (path: string): string => path.split(sep).join('/');

function filesBelow(directory: string, ending: string): string[] {
  let names: string[];
  try {
    names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => join(directory, name));
}

function readFile(file: string, text: string): Rule[] {
  const parts: { rule: Omit<Rule, 'checksum' | 'after'>; bare: string[]; after: string[] }[] = [];
  const rights = new Map<string, (typeof parts)[number]>();
  for (const statement of splitStatements(text.replaceAll('\r\n', '\n'))) {
    const made = readMade(file, statement);
    if (made !== null) {
      parts.push({ rule: made, bare: [statement.bare], after: [] });
      continue;
    }
    const subject = readSubject(file, statement);
    let part = parts.find(({ rule }) => (rule.kind === 'function' || rule.kind === 'view') && rule.name === subject);
    part ??= rights.get(subject);
    if (part === undefined) {
      if (/\(/.test(subject))
        throw new RuleRefused(file, statement.line, `${subject} is made in another file, or below`);
      part = {
        rule: { kind: 'rights', name: subject, own: '', file, line: statement.line, made: '', needs: [] },
        bare: [],
        after: [],
      };
      rights.set(subject, part);
      parts.push(part);
    }
    part.after.push(statement.text);
    part.bare.push(statement.bare);
  }
  return parts.map(({ rule, bare, after }) => ({ ...rule, after, checksum: sha256(bare.join(';')) }));
}

function readData(file: string, text: string): Rule {
  const statements = splitStatements(text.replaceAll('\r\n', '\n'));
  const made = statements.map(({ text }) => text).join(';\n');
  return {
    ...{ kind: 'data', name: file.slice('data/'.length), own: '', file, line: 1, made, after: [] },
    needs: namesIn(statements.map(({ bare }) => bare).join(' ')),
    checksum: sha256(statements.map(({ bare }) => bare).join(';')),
  };
}

const dotted = '([a-z_][\\w$]*\\.[a-z_][\\w$]*)';
const routine = new RegExp(`^create or replace (?:function|procedure) ${dotted} ?\\(`, 'i');
const view = new RegExp(`^create or replace view ${dotted} `, 'i');
const policy = new RegExp(`^create policy (\\w+) on ${dotted} `, 'i');
const trigger = new RegExp(`^create (?:or replace trigger|constraint trigger) (\\w+) [^(]*? on ${dotted} `, 'i');
const declaration = new RegExp(`^select ${dotted}\\s*\\(`, 'i');

/** What a statement makes; null for one about something else that was made. */
function readMade(file: string, { bare, text, line }: Statement): Omit<Rule, 'checksum' | 'after'> | null {
  const [, called = ''] = routine.exec(bare) ?? [];
  if (called !== '') {
    const { inside, end } = parenthesis(bare, bare.indexOf('('));
    const name = `${called}(${typesOf(inside).join(', ')})`;
    return { kind: 'function', name, own: '', file, line, made: text, needs: namesIn(parsedOf(bare, end)) };
  }
  const [, seen = ''] = view.exec(bare) ?? [];
  if (seen !== '') return { kind: 'view', name: seen, own: '', file, line, made: text, needs: namesIn(bare) };
  const [, ownPolicy = '', onTable = ''] = policy.exec(bare) ?? [];
  if (ownPolicy !== '') return { kind: 'policy', name: onTable, own: ownPolicy, file, line, made: text, needs: [] };
  const [, ownTrigger = '', ofTable = ''] = trigger.exec(bare) ?? [];
  if (ownTrigger !== '') return { kind: 'trigger', name: ofTable, own: ownTrigger, file, line, made: text, needs: [] };
  const [, declarer = ''] = declaration.exec(bare) ?? [];
  if (declarer !== '') {
    const { inside } = parenthesis(bare, bare.indexOf('('));
    const own = splitArguments(inside)[0]?.replaceAll("'", '') ?? '';
    return { kind: 'declaration', name: declarer, own, file, line, made: text, needs: [declarer] };
  }
  if (/^(?:grant|comment on) /i.test(bare)) return null;
  throw new RuleRefused(
    file,
    line,
    `"${bare.slice(0, 60)}" is no rule. Here stand create or replace function, view and trigger, create policy, grant, comment on, ` +
      'and select of a function that declares; what changes tables or rows stands in sql/tables',
  );
}

const commented = /^comment on (table|view|column|function|trigger|policy|index|constraint) (.+?) is (?:'|null|e')/i;
const granted = /^grant .+? on (table |sequence |function |procedure )?(.+) to [\w", ]+$/i;

/** What a grant or a comment is about: `schema.table`, or `schema.function(types)`. */
function readSubject(file: string, { bare, line }: Statement): string {
  const [, kind = '', named = ''] = commented.exec(bare) ?? [];
  const [, what = '', on = ''] = granted.exec(bare) ?? [];
  const text = named === '' ? on : named;
  if (text === '') throw new RuleRefused(file, line, `"${bare.slice(0, 60)}" is about nothing that is made here`);
  if (/^(?:function|procedure)/i.test(kind || what)) {
    const { inside, end } = parenthesis(text, text.indexOf('('));
    if (text.slice(end + 1).trim() !== '')
      throw new RuleRefused(file, line, 'a grant is about one function, and follows it');
    return `${text.slice(0, text.indexOf('(')).trim()}(${typesOf(inside).join(', ')})`;
  }
  if (/^column/i.test(kind)) return text.slice(0, text.lastIndexOf('.'));
  if (text.includes(',')) throw new RuleRefused(file, line, 'a grant is about one table, and stands with it');
  return text.trim();
}

/** The part of a function that Postgres reads when it is made: all of it where the body is no string. */
function parsedOf(bare: string, end: number): string {
  const body = bare.search(/\$\w*\$/);
  const head = body < 0 ? bare : bare.slice(0, body);
  return head.slice(bare.indexOf('(')).length > 0 ? head.slice(bare.indexOf('(')) : bare.slice(end);
}

const namesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\b([a-z_][\w$]*\.[a-z_][\w$]*)/g)].map(([name]) => name)),
];

/** Types of the arguments that tell one function from another of its name. */
function typesOf(list: string): string[] {
  return splitArguments(list).flatMap((one) => {
    const words = beforeDefault(one).trim().split(/\s+/);
    const mode = words[0]?.toLowerCase() ?? '';
    if (mode === 'out') return [];
    if (['in', 'inout', 'variadic'].includes(mode)) words.shift();
    return [plainType(words.length === 1 || isType(words.join(' ')) ? words.join(' ') : words.slice(1).join(' '))];
  });
}

/** An argument without what stands in when it is left out. */
function beforeDefault(argument: string): string {
  const at = [argument.toLowerCase().indexOf(' default '), argument.indexOf(' = ')].filter((place) => place >= 0);
  return argument.slice(0, Math.min(...at, argument.length));
}

const isType = (words: string): boolean =>
  /^(?:double precision|character varying|timestamp with(?:out)? time zone)/i.test(words);
const longNames: Readonly<Record<string, string>> = {
  int: 'integer', int4: 'integer', int8: 'bigint', int2: 'smallint', bool: 'boolean', float8: 'double precision',
  'timestamp with time zone': 'timestamptz', 'character varying': 'varchar',
}; // biome-ignore format: a list

function plainType(type: string): string {
  const [, name = '', many = ''] = /^(.*?)((?:\[\])*)$/.exec(type.toLowerCase()) ?? [];
  return (longNames[name] ?? name) + many;
}

function splitArguments(list: string): string[] {
  const found: string[] = [];
  let from = 0;
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < list.length; at++) {
    const character = list[at];
    if (character === "'") quoted = !quoted;
    if (quoted) continue;
    if (character === '(' || character === '[') depth += 1;
    if (character === ')' || character === ']') depth -= 1;
    if (character === ',' && depth === 0) {
      found.push(list.slice(from, at));
      from = at + 1;
    }
  }
  return [...found, list.slice(from)].map((one) => one.trim()).filter((one) => one !== '');
}

function parenthesis(text: string, from: number): { inside: string; end: number } {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "'") quoted = !quoted;
    if (quoted) continue;
    if (text[at] === '(') depth += 1;
    if (text[at] === ')' && --depth === 0) return { inside: text.slice(from + 1, at), end: at };
  }
  return { inside: '', end: text.length - 1 };
}

/** A declaration is made anew when the function that it calls changes, or one that this calls. */
function withDeclarers(rules: readonly Rule[]): Rule[] {
  const functions = byBareName(rules.filter(({ kind }) => kind === 'function'));
  const rights = new Map(rules.flatMap((rule) => (rule.kind === 'rights' ? [[rule.name, rule] as const] : [])));
  const called = (name: string): Rule[] => {
    const own = functions.get(name) ?? [];
    const next = own.flatMap(({ made }) => [...made.matchAll(/(?:perform|select|next) (private\.\w+)\(/g)]);
    return [...own, ...next.flatMap(([, other = '']) => (other === name ? [] : called(other)))];
  };
  const lists = new Map<string, Rule[]>();
  const calledBy = (name: string): Rule[] => {
    const list = lists.get(name) ?? called(name);
    lists.set(name, list);
    return list;
  };
  return rules.map((rule) => {
    if (rule.kind !== 'declaration' && rule.kind !== 'data') return rule;
    // Rights are what their bundle says, and take with them what a declaration has said of columns.
    const checksums = [
      ...rule.needs.flatMap(calledBy),
      ...(rights.get(rule.own) === undefined ? [] : [rights.get(rule.own)]),
    ];
    return { ...rule, checksum: sha256([rule.checksum, ...new Set(checksums.map((one) => one?.checksum))].join(' ')) };
  });
}

function byBareName(rules: readonly Rule[]): Map<string, Rule[]> {
  const found = new Map<string, Rule[]>();
  for (const rule of rules) {
    const name = bareName(rule.name);
    found.set(name, [...(found.get(name) ?? []), rule]);
  }
  return found;
}

function bareName(name: string): string {
  const end = name.indexOf('(');
  return end < 0 ? name : name.slice(0, end);
}

const places: Readonly<Record<RuleKind, number>> = {
  function: 0, view: 0, policy: 1, trigger: 2, rights: 3, declaration: 4, data: 5,
}; // biome-ignore format: a list

/** Functions and views after what they need; then policies, triggers, rights, declarations and data. */
function inOrder(rules: readonly Rule[]): Rule[] {
  const byName = byBareName(rules.filter(({ kind }) => places[kind] === 0));
  const ordered: Rule[] = [];
  const seen = new Set<Rule>();
  const visit = (rule: Rule): void => {
    if (seen.has(rule)) return;
    seen.add(rule);
    for (const needed of rule.needs) for (const one of byName.get(needed) ?? []) visit(one);
    ordered.push(rule);
  };
  for (const rule of rules) if (places[rule.kind] === 0) visit(rule);
  const rest = rules.filter(({ kind }) => places[kind] > 0);
  return [...ordered, ...rest.sort((one, other) => places[one.kind] - places[other.kind])];
}

/** Of all rules: two builds with the same rules have the same. */
export const digestOf = (rules: readonly Rule[]): string =>
  sha256(
    rules
      .map((rule) => `${keyOf(rule)} ${rule.checksum}`)
      .sort()
      .join('\n'),
  );

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
