// `npm run bench -- --identity`: throughput of the identity API, and the slowdown of board reads while fifty people sign in at once, into
// docs/figures.md. Reads come from wrk, which corrects its percentiles for requests it could not send while it waited; sign-ins come from this
// process.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { conditions } from './conditions.ts';
import type { Figure } from './figure.ts';
import { isQuick } from './flag.ts';
import { ms, table, whole, writeFigures } from './page.ts';
import { openStage, type Stage } from './stage.ts';
import { taskId } from './statements.ts';

const CONNECTIONS = 16;
const SIGN_INS = 50;
const password = 'correct horse battery';

interface Member {
  readonly email: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

interface SignIns {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

interface Lines {
  readonly user: Figure;
  readonly refresh: Figure;
  readonly reads: Figure;
  readonly readsBesides: Figure;
  readonly single: Figure;
  readonly singleBesides: Figure;
  readonly signIns: SignIns;
}

export async function benchIdentity(say: (line: string) => void): Promise<void> {
  const quick = isQuick();
  const seconds = quick ? 2 : 6;
  const stage = await openStage(say);
  try {
    say(`${SIGN_INS} people sign up …`);
    const members = await Promise.all(Array.from({ length: SIGN_INS }, (_, at) => signUp(stage, at)));
    const run = (script: string, connections: number, time = seconds) => wrk(stage, script, connections, time);
    const read = readScript(stage);
    await run(read, CONNECTIONS, quick ? 2 : 5);
    const user = await run(userScript(stage, members), CONNECTIONS);
    say(`GET /user: ${formatFigure(user)}`);
    const refresh = await run(refreshScript(stage, members), CONNECTIONS);
    say(`refresh: ${formatFigure(refresh)}`);
    const reads = await run(read, CONNECTIONS);
    say(`one task: ${formatFigure(reads)}`);
    const single = await run(read, 1);
    say(`one task, one connection: ${formatFigure(single)}`);
    const crowd = signInAgainAndAgain(stage, members);
    await run(read, CONNECTIONS, 2);
    const readsBesides = await run(read, CONNECTIONS);
    say(`one task beside ${SIGN_INS} sign-ins: ${formatFigure(readsBesides)}`);
    const singleBesides = await run(read, 1);
    say(`one task beside ${SIGN_INS} sign-ins, one connection: ${formatFigure(singleBesides)}`);
    const signIns = await crowd.stop();
    say(`sign-ins: ${Math.round(signIns.perSecond)} a second, p50 ${ms(signIns.p50)}, p99 ${ms(signIns.p99)}`);
    const lines = { user, refresh, reads, readsBesides, single, singleBesides, signIns };
    writeFigures('identity', report(lines, seconds));
  } finally {
    await stage.close();
  }
}

async function post(stage: Stage, path: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${stage.url}/auth/v1${path}`, {
    method: 'POST',
    headers: { apikey: stage.anonKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

async function signUp(stage: Stage, at: number): Promise<Member> {
  const email = `member${at}@bench.test`;
  const { access_token, refresh_token } = await post(stage, '/signup', { email, password });
  return { email, accessToken: String(access_token), refreshToken: String(refresh_token) };
}

/** Each of them signs in, and once in, signs in again, until told to stop. */
function signInAgainAndAgain(stage: Stage, members: readonly Member[]): { stop(): Promise<SignIns> } {
  const took: number[] = [];
  const start = performance.now();
  let over = false;
  const everybody = members.map(async ({ email }) => {
    while (!over) {
      const begun = performance.now();
      await post(stage, '/token?grant_type=password', { email, password });
      took.push(performance.now() - begun);
    }
  });
  return {
    async stop() {
      const elapsed = performance.now() - start;
      const done = took.length;
      over = true;
      await Promise.all(everybody);
      const sorted = took.slice(0, done).sort((a, b) => a - b);
      const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
      return { perSecond: (done * 1000) / elapsed, p50: at(0.5), p99: at(0.99) };
    },
  };
}

/** In a process of its own and without waiting for it here: this one may have people to sign in. */
async function wrk(stage: Stage, script: string, connections: number, seconds: number): Promise<Figure> {
  const directory = mkdtempSync(join(tmpdir(), 'kanbase-wrk-'));
  const file = join(directory, 'identity.lua');
  try {
    writeFileSync(file, script + done);
    const child = spawn('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', file, stage.url]);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
    const figures = /^FIGURE (.*)$/m.exec(output)?.[1];
    if (figures === undefined) throw new Error(`wrk: ${output}`);
    const [requests = 0, micros = 1, p50 = 0, p99 = 0, failed = 0] = figures.split(' ').map(Number);
    if (failed > 0 || requests === 0) throw new Error(`${failed} of ${requests} answers were failures\n${output}`);
    return { perSecond: (requests / micros) * 1e6, p50: p50 / 1000, p99: p99 / 1000 };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const done = `
function done(summary, latency)
  local errors = summary.errors
  print(string.format('FIGURE %d %d %d %d %d', summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), errors.status + errors.read + errors.write + errors.connect + errors.timeout))
end
`;

function userScript(stage: Stage, members: readonly Member[]): string {
  return byTurns(
    members.map(
      ({ accessToken }) =>
        `wrk.format('GET', '/auth/v1/user', {apikey='${stage.anonKey}', Authorization='Bearer ${accessToken}'})`,
    ),
  );
}

function readScript(stage: Stage): string {
  const paths = Array.from(
    { length: 2048 },
    () => `/rest/v1/tasks?id=eq.${taskId(1, 1 + Math.floor(Math.random() * 50_000))}`,
  );
  return byTurns(
    paths.map(
      (path) => `wrk.format('GET', '${path}', {apikey='${stage.anonKey}', Authorization='Bearer ${stage.token}'})`,
    ),
  );
}

function byTurns(requests: readonly string[]): string {
  return `
local ready = {}
local at = 0
function init()
${requests.map((request) => `  ready[#ready + 1] = ${request}`).join('\n')}
end
function request()
  at = at % #ready + 1
  return ready[at]
end
`;
}

/** A token goes out once; its session's next one comes back with the answer. More sessions than connections: none waits. */
function refreshScript(stage: Stage, members: readonly Member[]): string {
  return `
local tokens = {${members.map(({ refreshToken }) => `'${refreshToken}'`).join(',')}}
local headers = {apikey='${stage.anonKey}', ['Content-Type']='application/json'}
function request()
  return wrk.format('POST', '/auth/v1/token?grant_type=refresh_token', headers, '{"refresh_token":"' .. table.remove(tokens, 1) .. '"}')
end
function response(status, headers, body)
  local _, _, token = string.find(body, '"refresh_token":"([^"]+)"')
  tokens[#tokens + 1] = token
end
`;
}

function formatFigure(figure: Figure): string {
  return `${whole(figure.perSecond)} a second, p50 ${ms(figure.p50)}, p99 ${ms(figure.p99)}`;
}

function report(lines: Lines, seconds: number): string {
  const row = (what: string, { perSecond, p50, p99 }: Figure, budget: string) => [
    ...[what, whole(perSecond), ms(p50), ms(p99), budget],
  ];
  return `${conditions('wrk')}. 200,000 tasks, ${seconds} s each.

${table('what | >a second | >p50 | >p99 | budget', [
  row(`\`GET /auth/v1/user\`, ${CONNECTIONS} connections`, lines.user, 'one round trip'),
  row(`Refresh, each caller its own session, ${CONNECTIONS} connections`, lines.refresh, 'one round trip'),
  row(`One task by id from \`/rest/v1\`, ${CONNECTIONS} connections`, lines.reads, ''),
  row(`The same while ${SIGN_INS} people sign in without pause`, lines.readsBesides, 'p99 50 ms'),
  row('One task by id, one connection', lines.single, ''),
  row(`The same while ${SIGN_INS} people sign in without pause`, lines.singleBesides, 'p99 50 ms'),
  row(`Those sign-ins, beside the reads`, lines.signIns, 'the hash alone'),
])}`;
}
