// Faults of the machine, one after the other, each on a server and database of its own: a disk that is full or may not be written, no file
// handles left, a clock that jumps, a database that starts again, answers cut off in their middle, sockets that fall silent. Each says what requests
// were answered meanwhile, and whether the service came back by itself, without a restart or a person.

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { asCaller, ask, type HttpResponse, NoResponse } from '../ask.ts';
import { type Door, type Planted, plant } from '../plant.ts';
import { heldBy, postmasterOf } from '../process-figures.ts';
import { openKeys, type StartedServer, startServer, stopServer } from '../start-server.ts';

export interface FaultOutcome {
  readonly name: string;
  /** What requests were answered meanwhile. */
  readonly meanwhile: string;
  /** How it came back, or why this could not be tried. */
  readonly after: string;
  /** False: requests failed without clear words, or the service did not come back by itself; null: it was not tried. */
  readonly kept: boolean | null;
}

interface Ground {
  readonly door: Door;
  readonly planted: Planted;
  readonly server: StartedServer;
  readonly dataDir: string;
  /** A directory that is this fault's alone. */
  readonly place: string;
}

interface Fault {
  readonly name: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** What the command line begins with. */
  readonly before?: (place: string) => readonly string[];
  readonly env?: (place: string) => Readonly<Record<string, string>>;
  /** Before the server starts; a reason why it cannot be tried here. */
  readonly prepare?: (place: string) => string | null;
  readonly cleanUp?: (place: string) => void;
  readonly happen: (ground: Ground) => Promise<Omit<FaultOutcome, 'name'>>;
}

export async function tryFaults(say: (line: string) => void, only: string | null): Promise<FaultOutcome[]> {
  const outcomes: FaultOutcome[] = [];
  for (const fault of faults) {
    if (only !== null && !fault.name.includes(only)) continue;
    const outcome = { name: fault.name, ...(await tryFault(fault)) };
    outcomes.push(outcome);
    say(
      `${outcome.name}: ${outcome.meanwhile}; ${outcome.after}${outcome.kept === false ? '   ← NOT AS PROMISED' : ''}`,
    );
  }
  return outcomes;
}

async function tryFault(fault: Fault): Promise<Omit<FaultOutcome, 'name'>> {
  const place = mkdtempSync(join(tmpdir(), 'kanbase-fault-'));
  chmodSync(place, 0o755);
  const dataDir = join(place, 'data');
  mkdirSync(dataDir);
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  let server: StartedServer | null = null;
  try {
    const missing = fault.prepare?.(place) ?? null;
    if (missing !== null) return { meanwhile: 'not tried', after: missing, kept: null };
    server = await startServer(
      { DATA_DIR: dataDir, ...fault.settings, ...fault.env?.(place) },
      fault.before?.(place) ?? [],
    );
    const { anonKey } = await openKeys();
    const door = { agent, url: server.url, anonKey };
    const planted = await plant(door);
    return await fault.happen({ door, planted, server, dataDir, place });
  } finally {
    agent.destroy();
    if (server !== null) await stopServer(server, 'SIGTERM');
    fault.cleanUp?.(place);
    rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Kind = 'read' | 'write' | 'upload';

async function once(kind: Kind, { door, planted }: Pick<Ground, 'door' | 'planted'>): Promise<string> {
  const { agent, url, anonKey } = door;
  const headers = asCaller(anonKey, planted.owner.token);
  const questions = {
    read: { method: 'GET', path: `/rest/v1/tasks?select=id&project_id=eq.${planted.project}`, headers },
    write: {
      method: 'POST',
      path: '/rest/v1/tasks',
      headers,
      // Enough of it, and nothing that can be made smaller, so that a disk notices.
      body: JSON.stringify({
        project_id: planted.project,
        title: 'One more',
        description: randomBytes(30_000).toString('base64'),
      }),
    },
    upload: {
      method: 'POST',
      path: `/storage/v1/object/attachments/${planted.project}/${planted.tasks[0]}/${Math.random()}`,
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      body: Buffer.alloc(500_000),
    },
  } as const;
  try {
    return wordsOf(await ask(agent, url, questions[kind], 15_000));
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    return error.late ? 'hung' : 'cut';
  }
}

/** A status, and whether words come with it. */
function wordsOf({ status, body }: HttpResponse): string {
  const said = /"(?:message|error|msg)":\s*"[^"]+"/.test(body.toString());
  return status < 400 || said ? String(status) : `${status} without words`;
}

/** How often each outcome came, of so many requests of each kind. */
async function several(
  ground: Pick<Ground, 'door' | 'planted'>,
  times: number,
  kinds: readonly Kind[] = ['read', 'write', 'upload'],
): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  for (let round = 0; round < times; round++)
    for (const kind of kinds) {
      const outcome = `${kind} ${await once(kind, ground)}`;
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    }
  return seen;
}

const inWords = (seen: ReadonlyMap<string, number>): string =>
  [...seen]
    .sort()
    .map(([what, count]) => `${count} × ${what}`)
    .join(', ');

/** Clear: done, or refused with words. A token that is over is 401, at the files' door, as their protocol has it, 400. */
const isClear = (seen: ReadonlyMap<string, number>): boolean =>
  [...seen.keys()].every((what) => / (2\d\d|503|507|401)$|^upload 400$/.test(what));

/** Milliseconds until a read, a write and an upload are done again. */
async function untilWell(ground: Pick<Ground, 'door' | 'planted'>, limitMs = 30_000): Promise<number | null> {
  const began = performance.now();
  while (performance.now() - began < limitMs) {
    const seen = await several(ground, 1);
    if ([...seen.keys()].every((what) => / 2\d\d$/.test(what))) return performance.now() - began;
    await pause(20);
  }
  return null;
}

function outcomeOf(seen: ReadonlyMap<string, number>, wellMs: number | null, more = ''): Omit<FaultOutcome, 'name'> {
  return {
    meanwhile: inWords(seen),
    after: `${wellMs === null ? 'not back after 30 s' : `everything goes on ${Math.round(wellMs)} ms later`}${more}`,
    kept: isClear(seen) && wellMs !== null,
  };
}

/** A disk of that size, in memory, as a directory of the fault's own. */
const mountSmall =
  (size: string, name: string) =>
  (place: string): string | null => {
    try {
      mkdirSync(join(place, name), { recursive: true });
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0755`, 'tmpfs', join(place, name)], {
        stdio: 'ignore',
      });
      return null;
    } catch {
      return 'mounting a small disk needs root, and was refused here';
    }
  };
const unmount =
  (name: string) =>
  (place: string): void => {
    try {
      execFileSync('umount', ['-l', join(place, name)], { stdio: 'ignore' });
    } catch {
      // It was never mounted.
    }
  };

const remount = (disk: string, how: 'ro' | 'rw'): void =>
  void execFileSync('mount', ['-o', `remount,${how}`, disk], { stdio: 'ignore' });

/** Ends Postgres until nobody holds a file on its disk open, however quickly it is started again. */
async function readOnlyOnceEnded(dataDir: string, disk: string): Promise<boolean> {
  const until = performance.now() + 10_000;
  while (performance.now() < until) {
    const postmaster = postmasterOf(dataDir);
    try {
      if (postmaster > 0) process.kill(postmaster, 'SIGKILL');
    } catch {
      // It has ended already.
    }
    try {
      remount(disk, 'ro');
      return true;
    } catch {
      await pause(20);
    }
  }
  return false;
}

/** Debian has a folder for each kind of processor. */
function findFakeTime(): string | null {
  const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib') : [];
  const places = folders.map((folder) => join('/usr/lib', folder, 'faketime', 'libfaketime.so.1'));
  return places.find((place) => existsSync(place)) ?? null;
}

const faults: readonly Fault[] = [
  {
    name: 'disk full',
    prepare: mountSmall('400m', 'data'),
    cleanUp: unmount('data'),
    happen: async (ground) => {
      const ballast = join(ground.dataDir, 'ballast');
      const { bavail, bsize } = statfsSync(ground.dataDir);
      writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - 1_000_000)));
      // What is left is used up by writes: 16 MB of log that Postgres has already, then the disk.
      const seen = await several(ground, 60);
      const ready = (await ask(ground.door.agent, ground.door.url, { method: 'GET', path: '/ready' })).status;
      rmSync(ballast);
      const outcome = outcomeOf(seen, await untilWell(ground), `; /ready said ${ready} while it was full`);
      return { ...outcome, kept: outcome.kept && ready === 503 };
    },
  },
  {
    name: 'disk of the files read-only',
    prepare: mountSmall('64m', 'files'),
    cleanUp: unmount('files'),
    env: (place) => ({ STORAGE_DIR: join(place, 'files') }),
    happen: async (ground) => {
      const disk = join(ground.place, 'files');
      remount(disk, 'ro');
      const seen = await several(ground, 20);
      remount(disk, 'rw');
      return outcomeOf(seen, await untilWell(ground));
    },
  },
  {
    // No disk becomes read-only from outside while Postgres writes to it. When one breaks, the system makes it so, Postgres ends over it, and finds
    // it read-only when it is started again: from there on this is the same.
    name: 'disk of the database read-only',
    prepare: mountSmall('400m', 'data/postgres'),
    cleanUp: unmount('data/postgres'),
    happen: async (ground) => {
      const disk = join(ground.dataDir, 'postgres');
      const made = await readOnlyOnceEnded(ground.dataDir, disk);
      if (!made)
        return { meanwhile: 'not tried', after: 'the disk stayed in use after Postgres was ended', kept: null };
      const seen = await several(ground, 20);
      const ready = (await ask(ground.door.agent, ground.door.url, { method: 'GET', path: '/ready' })).status;
      remount(disk, 'rw');
      const outcome = outcomeOf(seen, await untilWell(ground), `; /ready said ${ready} while it was read-only`);
      return { ...outcome, kept: outcome.kept && ready === 503 };
    },
  },
  {
    name: 'no file handles left',
    before: () => ['prlimit', '--nofile=128:128', '--'],
    prepare: () => (existsSync('/usr/bin/prlimit') ? null : 'prlimit (util-linux) is not installed'),
    happen: async (ground) => {
      const { hostname, port } = new URL(ground.door.url);
      // Connections from before, which the server answers on, and new ones, which it has to take first.
      await several(ground, 3);
      const crowd = Array.from({ length: 400 }, () => quiet(connect(Number(port), hostname)));
      await pause(500);
      const seen = await several(ground, 10);
      const fresh = { ...ground, door: { ...ground.door, agent: new Agent({ keepAlive: false }) } };
      const seenAnew = await several(fresh, 10);
      for (const socket of crowd) socket.destroy();
      const wellMs = await untilWell(fresh);
      // A connection that no handle is left for can only be closed, before a word is heard on it.
      const clear = isClear(seen) && [...seenAnew.keys()].every((what) => / (2\d\d|503|507|cut)$/.test(what));
      const refused = [...seen, ...seenAnew].reduce(
        (sum, [what, count]) => sum + (/ 2\d\d$/.test(what) ? 0 : count),
        0,
      );
      const outcome = outcomeOf(seen, wellMs);
      const meanwhile = `on connections from before: ${inWords(seen)}; on new ones: ${inWords(seenAnew)}`;
      return { ...outcome, meanwhile, kept: clear && refused > 0 && wellMs !== null };
    },
  },
  ...(['+2d', '-2d'] as const).map(
    (jump): Fault => ({
      // Postgres is started without this environment and keeps the time: the two are days apart, which is harder on tokens than both together.
      name: `clock of the server jumps by ${jump.replace('d', ' days').replace('-', '−')}`,
      prepare: (place) => {
        writeFileSync(join(place, 'clock'), '+0');
        return findFakeTime() === null ? 'libfaketime is not installed (Debian: apt install faketime)' : null;
      },
      env: (place) => ({
        LD_PRELOAD: findFakeTime() ?? '',
        FAKETIME_TIMESTAMP_FILE: join(place, 'clock'),
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      }),
      happen: async (ground) => {
        await several(ground, 3);
        writeFileSync(join(ground.place, 'clock'), jump);
        // Tokens end an hour after they were made: forward they are over, and a new one is had for the refresh token.
        const seen = await several(ground, 5);
        const answer = await ask(ground.door.agent, ground.door.url, {
          method: 'POST',
          path: '/auth/v1/token?grant_type=refresh_token',
          headers: asCaller(ground.door.anonKey, ground.door.anonKey),
          body: JSON.stringify({ refresh_token: ground.planted.owner.refreshToken }),
        });
        const renewed = answer.status === 200 ? (JSON.parse(answer.body.toString()) as { access_token: string }) : null;
        const owner = { ...ground.planted.owner, token: renewed?.access_token ?? '' };
        const wellMs = await untilWell({ ...ground, planted: { ...ground.planted, owner } });
        const outcome = outcomeOf(seen, wellMs, `, with a token renewed by its refresh token (${answer.status})`);
        writeFileSync(join(ground.place, 'clock'), '+0');
        // The first token is good again; the second was made in a time that is over, or still to come.
        const back = await untilWell(ground);
        return { ...outcome, kept: outcome.kept && back !== null };
      },
    }),
  ),
  ...(['SIGINT', 'SIGKILL'] as const).map(
    (signal): Fault => ({
      name: signal === 'SIGINT' ? 'database restarts' : 'database dies',
      happen: async (ground) => {
        let over = false;
        const asking = (async () => {
          const all = new Map<string, number>();
          while (!over)
            for (const [what, count] of await several(ground, 1)) all.set(what, (all.get(what) ?? 0) + count);
          return all;
        })();
        await pause(200);
        process.kill(postmasterOf(ground.dataDir), signal);
        await pause(50);
        const wellMs = await untilWell(ground);
        over = true;
        return outcomeOf(await asking, wellMs);
      },
    }),
  ),
  {
    name: 'answers cut off by their reader',
    happen: async (ground) => {
      const { door, planted, server, dataDir } = ground;
      const headers = asCaller(door.anonKey, planted.owner.token);
      const large = `/storage/v1/object/attachments/${planted.project}/${planted.tasks[0]}/large`;
      await ask(door.agent, door.url, { method: 'POST', path: large, headers, body: Buffer.alloc(8_000_000) });
      const held = (): ReturnType<typeof heldBy> => heldBy(server.process.pid ?? 0, postmasterOf(dataDir));
      await several(ground, 2);
      const before = held();
      for (let at = 0; at < 200; at++)
        await cutOff(
          door,
          at % 2 === 0
            ? large.replace('/object/', '/object/authenticated/')
            : `/rest/v1/task_activity?project_id=eq.${planted.project}`,
          headers,
        );
      await pause(500);
      const seen = await several(ground, 5);
      const after = held();
      const outcome = outcomeOf(
        seen,
        await untilWell(ground),
        `; open files ${before.files} before 200 of them, ${after.files} after`,
      );
      return { ...outcome, kept: outcome.kept && after.files <= before.files + 8 };
    },
  },
  {
    name: 'sockets that fall silent',
    settings: { REALTIME_PING_SECONDS: '1', HTTP_BODY_TIMEOUT_MS: '1000' },
    happen: async (ground) => {
      const { hostname, port } = new URL(ground.door.url);
      const { anonKey } = ground.door;
      const halfBody = `POST /rest/v1/tasks HTTP/1.1\r\nhost: x\r\napikey: ${anonKey}\r\nauthorization: Bearer ${anonKey}\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"ti`;
      const upgrade = `GET /realtime/v1/websocket?apikey=${anonKey}&vsn=2.0.0 HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n`;
      let closed = 0;
      const silent = Array.from({ length: 300 }, (_, at) => {
        const socket = quiet(connect(Number(port), hostname));
        socket.write(at % 2 === 0 ? halfBody : upgrade);
        socket.resume();
        socket.once('close', () => closed++);
        return socket;
      });
      const seen = await several(ground, 20);
      for (let waited = 0; closed < silent.length && waited < 30_000; waited += 100) await pause(100);
      for (const socket of silent) socket.destroy();
      const outcome = outcomeOf(
        seen,
        await untilWell(ground),
        `; ${closed} of ${silent.length} were closed by the server`,
      );
      return { ...outcome, kept: outcome.kept && closed === silent.length };
    },
  },
];

function quiet(socket: Socket): Socket {
  socket.on('error', () => undefined);
  return socket;
}

/** Reads the beginning of an answer and goes. */
function cutOff({ url }: Door, path: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const sent = request({ hostname, port, path, headers, agent: false }, (response) => {
      response.once('data', () => sent.destroy());
      response.once('end', () => resolve());
    });
    sent.once('close', () => resolve());
    sent.on('error', () => undefined);
    sent.end();
  });
}
