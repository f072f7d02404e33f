// Runs the built service inside one processor and 512 MB, as the templates in deploy/ ask for, and prints what became of it as one line of JSON:
// first start, sample workspace, twenty people at work, backup. Needs root on Linux, for a control group (version 1 or 2) made by hand.
//   npm run build && node scripts/try-small.mjs [seconds of work]

import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './install.mjs';

const [processors, megabytes, people] = [1, 512, 20];
const seconds = Number(process.argv[2] ?? 60);
const main = join(root, 'dist/server/main.js');
const place = mkdtempSync(join(tmpdir(), 'kanbase-small-'));
chmodSync(place, 0o755);
const group = makeGroup();

/** In the group from its first moment on, with all that it starts. */
function spawnInside(args, env = {}) {
  const enter = group.procs.map((file) => `echo $$ > '${file}'`).join(' && ');
  return spawn('sh', ['-c', `${enter} && exec "$@"`, 'sh', process.execPath, '--enable-source-maps', main, ...args], {
    cwd: place,
    env: { PATH: process.env.PATH, DATA_DIR: join(place, 'data'), AUTH_LIMIT_EXEMPT: 'loopback', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

const begun = performance.now();
const server = spawnInside(['serve', '--port', '0', '--host', '127.0.0.1']);
const ended = new Promise((done) => server.once('close', done));
try {
  const banner = await untilPrinted(server, /Service key/);
  const url = /Address\s+(\S+)/.exec(banner)[1].replace('localhost', '127.0.0.1');
  const key = /Anon key\s+(\S+)/.exec(banner)[1];
  if (!(await fetch(`${url}/ready`)).ok) throw new Error('/ready refuses');
  const startSeconds = since(begun);
  const demo = await timed(() => finished(spawnInside(['demo'])));
  const work = await letPeopleWork(url, key);
  const backup = await timed(() => finished(spawnInside(['backup', 'all.zip', '--without-secrets'])));
  const use = group.read();
  server.kill('SIGTERM');
  const code = await ended;
  console.log(
    JSON.stringify({
      ...{ processors, megabytes, startSeconds, demoSeconds: demo, people, ...work, backupSeconds: backup },
      ...use,
      endedWith: code,
    }),
  );
} finally {
  server.kill('SIGKILL');
  await ended;
  rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  group.remove();
}

function makeGroup() {
  const name = `kanbase-small-${process.pid}`;
  const unified = existsSync('/sys/fs/cgroup/cgroup.controllers');
  const at = (controller) => join('/sys/fs/cgroup', unified ? '' : controller, name);
  const directories = unified ? [at('')] : [at('memory'), at('cpu')];
  for (const directory of directories) mkdirSync(directory);
  const bytes = String(megabytes * 2 ** 20);
  const write = (controller, file, value) => writeFileSync(join(at(controller), file), value);
  const read = (controller, file) => readFileSync(join(at(controller), file), 'utf8');
  if (unified) {
    write('', 'memory.max', bytes);
    write('', 'cpu.max', `${processors * 100_000} 100000`);
  } else {
    write('memory', 'memory.limit_in_bytes', bytes);
    write('cpu', 'cpu.cfs_quota_us', String(processors * 100_000));
  }
  return {
    procs: directories.map((directory) => join(directory, 'cgroup.procs')),
    read: () => {
      const statistics = read('memory', 'memory.stat');
      // Pages of files are given back when memory runs short; what is left is the service's own.
      const own = Number(/^(?:total_rss|anon) (\d+)$/m.exec(statistics)?.[1]);
      const killed = /^oom_kill (\d+)$/m.exec(read('memory', unified ? 'memory.events' : 'memory.oom_control'));
      return { ownMB: Math.round(own / 2 ** 20), killedForMemory: Number(killed?.[1]) };
    },
    remove: () => {
      for (const directory of directories) rmdirSync(directory);
    },
  };
}

/** Each reads a board, creates a task, moves it, comments on it, and rests a second. */
async function letPeopleWork(url, key) {
  const times = [];
  let refused = 0;
  const until = performance.now() + seconds * 1000;
  const headers = { apikey: key, 'content-type': 'application/json', prefer: 'return=representation' };
  const worker = async (number) => {
    const call = async (method, path, body, token = key) => {
      const asked = performance.now();
      const answer = await fetch(url + path, {
        method,
        headers: { ...headers, authorization: `Bearer ${token}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      times.push(performance.now() - asked);
      if (!answer.ok) refused += 1;
      return answer.json();
    };
    const email = `person-${number}@example.test`;
    const { access_token: token } = await call('POST', '/auth/v1/signup', { email, password: 'correct horse battery' });
    const own = (method, path, body) => call(method, `/rest/v1/${path}`, body, token);
    const project = await own('POST', 'rpc/create_project_with_defaults', { name: `Work ${number}` });
    const columns = await own('GET', `workflow_columns?project_id=eq.${project.id}&order=position`);
    while (performance.now() < until) {
      await own('GET', `workflow_columns?select=name,tasks(id,title,priority)&project_id=eq.${project.id}`);
      const [task] = await own('POST', 'tasks', { project_id: project.id, column_id: columns[1].id, title: 'Oil it' });
      await own('POST', 'rpc/move_task', { task_id: task.id, column_id: columns[2].id });
      await own('POST', 'task_comments', { task_id: task.id, body: 'Done soon.' });
      await new Promise((done) => setTimeout(done, 1000));
    }
  };
  await Promise.all(Array.from({ length: people }, (_, number) => worker(number)));
  times.sort((a, b) => a - b);
  const at = (share) => Math.round(times[Math.floor((times.length - 1) * share)]);
  return { requests: times.length, refused, p50ms: at(0.5), p99ms: at(0.99) };
}

function untilPrinted(child, words) {
  return new Promise((done, fail) => {
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text;
      if (words.test(printed)) done(printed);
    });
    child.once('close', (code) => fail(new Error(`ended with ${code}: ${printed}`)));
  });
}

async function finished(child) {
  child.stdout.resume();
  const code = await new Promise((done) => child.once('close', done));
  if (code !== 0) throw new Error(`a command ended with ${code}`);
}

async function timed(work) {
  const from = performance.now();
  await work();
  return since(from);
}

function since(from) {
  return Number(((performance.now() - from) / 1000).toFixed(1));
}
