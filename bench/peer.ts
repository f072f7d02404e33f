// `--vs URL`: the same requests to Kanbase and to another server of PostgREST's protocol, on the same database, by turns in one run.
// The other one is started by whoever measures, once the database is there: what it has to be told is printed.

import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Case, cases } from './cases.ts';
import type { Figure } from './figure.ts';
import { measureHttp } from './measure-http.ts';
import { openStage, type Stage } from './stage.ts';
import { taskId } from './statements.ts';

const connections = 16;
const seconds = process.argv.includes('--quick') ? 2 : 6;
const patienceMs = 10 * 60_000;

export async function benchPeer(say: (line: string) => void): Promise<void> {
  const given = process.argv[process.argv.indexOf('--vs') + 1] ?? '';
  if (!URL.canParse(given))
    throw new Error('--vs wants the address of the other server, such as http://127.0.0.1:3001');
  const stage = await openStage(say);
  try {
    say(`Start the other server now. It is measured as soon as ${given} answers.`);
    say(`  database    ${stage.databaseUrl}   (log in as authenticator; anonymous role anon; schema public)`);
    say(`  JWT secret  ${stage.secret}`);
    const peer = await answering(given, stage);
    const rows: string[] = [];
    for (const one of cases(taskId)) {
      const alike = one.writes ? null : await answersAlike(one, stage, peer);
      const ours: Figure[] = [];
      const theirs: Figure[] = [];
      for (const [figures, server] of [
        [ours, stage],
        [theirs, peer],
      ] as const)
        figures.push(measureHttp(one, server, 2, connections));
      for (let round = 0; round < (one.writes ? 1 : 2); round += 1) {
        ours.push(measureHttp(one, stage, seconds, connections));
        theirs.push(measureHttp(one, peer, seconds, connections));
      }
      const [a, b] = [best(ours), best(theirs)];
      rows.push(
        `| ${one.name} | ${(a.perSecond / b.perSecond).toFixed(2)} | ${inWords(a)} | ${inWords(b)} | ${alike === null ? '' : alike ? 'yes' : 'no'} |`,
      );
      say(rows.at(-1) ?? '');
    }
    console.log(
      [
        `Kanbase and ${given}, ${connections} connections, ${seconds} s each, best of two for what reads.`,
        '',
        '| Request | Ratio | Kanbase: a second, p50, p99 | The other | Same answer |',
        '| --- | ---: | ---: | ---: | --- |',
        ...rows,
      ].join('\n'),
    );
  } finally {
    await stage.close();
  }
}

type Server = Stage & { readonly prefix?: string };

/** The other server as soon as it is there, with its doors under /rest/v1 as Supabase has them, or at the root. */
async function answering(url: string, stage: Stage): Promise<Server> {
  const headers = headersOf(stage);
  for (const until = Date.now() + patienceMs; Date.now() < until; await pause(500))
    for (const prefix of ['/rest/v1', '']) {
      const answer = await fetch(`${url.replace(/\/$/, '')}${prefix}/projects?select=id&limit=1`, { headers }).catch(
        () => null,
      );
      if (answer?.ok && Array.isArray(await answer.json().catch(() => null))) return { ...stage, url, pid: 0, prefix };
    }
  throw new Error(`${url} did not answer GET /projects within ten minutes`);
}

async function answersAlike(one: Case, ...servers: readonly Server[]): Promise<boolean> {
  const path = one.path.replace('{id}', taskId(one.project, 1));
  const [ours, theirs] = await Promise.all(
    servers.map(async (server) => {
      const headers = { ...headersOf(server), ...(one.prefer === undefined ? {} : { Prefer: one.prefer }) };
      const answer = await fetch(`${server.url}${server.prefix ?? '/rest/v1'}${path}`, { headers });
      return [answer.status, answer.headers.get('content-range'), await answer.json()];
    }),
  );
  return isDeepStrictEqual(ours, theirs);
}

const headersOf = ({ anonKey, token }: Stage) => ({ apikey: anonKey, Authorization: `Bearer ${token}` });
const best = (figures: readonly Figure[]): Figure => figures.reduce((a, b) => (b.perSecond > a.perSecond ? b : a));
const inWords = ({ perSecond, p50, p99 }: Figure): string =>
  `${Math.round(perSecond)}, ${p50.toFixed(2)} ms, ${p99.toFixed(2)} ms`;
