// `--vs URL`: the same requests to Kanbase and to another server of PostgREST's protocol, on the same database, by turns in one run, into
// docs/figures.md and its plot. Start the other server once the database is up; its settings are printed. `--peer="tinbase 1.2.3"` names it on the
// page.

import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ask } from './ask.ts';
import { type Case, cases } from './cases.ts';
import { conditions } from './conditions.ts';
import { best, connections, seconds } from './data.ts';
import type { Figure } from './figure.ts';
import { flag } from './flag.ts';
import { measureHttp } from './measure-http.ts';
import { csv, ms, table, whole, writeFigures } from './page.ts';
import { plotBars } from './plots.ts';
import { openStage, type Stage } from './stage.ts';
import { taskId } from './statements.ts';

const timeoutMs = 10 * 60_000;

interface Row {
  readonly name: string;
  readonly ours: Figure;
  /** Or why there is none. */
  readonly theirs: Figure | string;
  /** What the other one answers otherwise, empty where nothing; null where that was not asked. */
  readonly otherwise: string | null;
}

export async function benchPeer(say: (line: string) => void): Promise<void> {
  const given = process.argv[process.argv.indexOf('--vs') + 1] ?? '';
  if (!URL.canParse(given))
    throw new Error('--vs wants the address of the other server, such as http://127.0.0.1:3001');
  const stage = await openStage(say);
  try {
    say(`Start the other server now. It is measured as soon as ${given} answers.`);
    say(`  database    ${stage.databaseUrl}   (log in as authenticator; anonymous role anon; schema public)`);
    say(`  its owner   ${stage.ownerUrl}   (for a second Kanbase: DATABASE_DIRECT_URL)`);
    say(`  JWT secret  ${stage.secret}`);
    const peer = await answering(given, stage);
    const rows: Row[] = [];
    for (const one of cases(taskId)) {
      rows.push(await compare(one, stage, peer));
      say(cellsOf(rows.at(-1) as Row).join(' | '));
    }
    const page = report(rows, flag('peer') ?? given);
    console.log(page);
    const named = flag('peer') ?? given;
    const heads = `request|Kanbase for each of the other|Kanbase: a second, p50, p99|${named}|same answer`;
    const detail = csv(
      heads,
      rows.map((row) => cellsOf(row).map((cell) => cell.replaceAll(/\*\*|`/g, ''))),
    );
    writeFigures('vs', page, { files: { 'vs.svg': plot(rows, named), 'vs.csv': detail } });
  } finally {
    await stage.close();
  }
}

/** A request that the other one refuses, or does not know, is said to be that. */
async function compare(one: Case, stage: Stage, peer: Server): Promise<Row> {
  const otherwise = one.writes ? null : await answersOtherwise(one, stage, peer);
  const ours = [measureHttp(one, stage, 2, connections)];
  const theirs: Figure[] = [];
  let refused: string | null = null;
  try {
    theirs.push(measureHttp(one, peer, 2, connections));
  } catch (error) {
    refused = /\d+ of \d+ answers were failures/.exec((error as Error).message)?.[0] ?? (error as Error).message;
  }
  for (let round = 0; round < (one.writes ? 1 : 2); round += 1) {
    ours.push(measureHttp(one, stage, seconds, connections));
    if (refused === null) theirs.push(measureHttp(one, peer, seconds, connections));
  }
  return { name: one.name, ours: best(ours), theirs: refused ?? best(theirs), otherwise };
}

type Server = Stage & { readonly prefix?: string };

/** The other server as soon as it is there, with its doors under /rest/v1 as Supabase has them, or at the root. */
async function answering(url: string, stage: Stage): Promise<Server> {
  const headers = headersOf(stage);
  for (const until = Date.now() + timeoutMs; Date.now() < until; await pause(500))
    for (const prefix of ['/rest/v1', '']) {
      const answer = await fetch(`${url.replace(/\/$/, '')}${prefix}/projects?select=id&limit=1`, { headers }).catch(
        () => null,
      );
      if (answer?.ok && Array.isArray(await answer.json().catch(() => null))) return { ...stage, url, pid: 0, prefix };
    }
  throw new Error(`${url} did not answer GET /projects within ten minutes`);
}

async function answersOtherwise(one: Case, stage: Server, peer: Server): Promise<string> {
  const path = one.path.replace('{id}', taskId(one.project, 1));
  // A connection each: the other one may close those it has not heard of for a while.
  const agent = new Agent();
  const [ours, theirs] = await Promise.all(
    [stage, peer].map(async (server) => {
      const headers = { ...headersOf(server), ...(one.prefer === undefined ? {} : { Prefer: one.prefer }) };
      const answer = await ask(agent, server.url, {
        method: 'GET',
        path: `${server.prefix ?? '/rest/v1'}${path}`,
        headers,
      });
      return {
        status: answer.status,
        range: answer.headers['content-range'],
        body: JSON.parse(answer.body.toString()) as unknown,
      };
    }),
  );
  return firstDifference('answer', ours, theirs);
}

/** In words, with both values; empty where there is none. */
function firstDifference(place: string, ours: unknown, theirs: unknown): string {
  if (isDeepStrictEqual(ours, theirs)) return '';
  const isWhole = (value: unknown): value is object => typeof value === 'object' && value !== null;
  if (isWhole(ours) && isWhole(theirs) && Array.isArray(ours) === Array.isArray(theirs))
    for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
      const found = firstDifference(key, ours[key as keyof object], theirs[key as keyof object]);
      if (found !== '') return found;
    }
  const inShort = (value: unknown): string => `\`${JSON.stringify(value)?.slice(0, 40) ?? 'nothing'}\``;
  return `${place}: ${inShort(ours)}, there ${inShort(theirs)}`;
}

const headersOf = ({ anonKey, token }: Stage) => ({ apikey: anonKey, Authorization: `Bearer ${token}` });
const inWords = ({ perSecond, p50, p99 }: Figure): string => `${whole(perSecond)}, ${ms(p50)}, ${ms(p99)}`;
const ratioOf = ({ ours, theirs }: Row): number | null =>
  typeof theirs === 'string' ? null : ours.perSecond / theirs.perSecond;

function cellsOf(row: Row): string[] {
  const { name, ours, theirs, otherwise } = row;
  const ratio = ratioOf(row);
  return [
    ...[name, ratio === null ? '–' : `**${ratio.toFixed(2)}**`, inWords(ours)],
    ...[typeof theirs === 'string' ? theirs : inWords(theirs), otherwise === null ? '' : otherwise || 'yes'],
  ];
}

function report(rows: readonly Row[], peer: string): string {
  return `${conditions('wrk')}. ${peer}, ${connections} connections, ${seconds} s each, the best of two for what reads.

${table(
  `request | >Kanbase for each of the other`,
  rows.map((row) => cellsOf(row).slice(0, 2)),
)}

[Speeds and answers](figures/vs.csv).

![Requests of Kanbase for each request of the other](figures/vs.svg)`;
}

function plot(rows: readonly Row[], peer: string): string {
  const most = Math.max(1, ...rows.map((row) => ratioOf(row) ?? 0));
  return plotBars(
    `Requests of Kanbase for each of ${peer}`,
    ['Kanbase'],
    rows.map((row) => {
      const ratio = ratioOf(row);
      const words = ratio === null ? 'refused by the other' : `${ratio.toFixed(2)} ×`;
      return { name: row.name, bars: [{ share: (ratio ?? 0) / most, words }] };
    }),
  );
}
