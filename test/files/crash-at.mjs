// Loaded into a server before it starts: ends it as kill -9 does when it comes to the point that stands in the file CRASH_POINT, among what it does
// with files below CRASH_ROOT. Without the file it runs as ever.

import fs from 'node:fs';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';

const { CRASH_POINT: order = '', CRASH_ROOT: root = '' } = process.env;

function at(point) {
  let wanted = '';
  try {
    wanted = fs.readFileSync(order, 'utf8');
  } catch {
    // Nothing is to happen.
  }
  if (wanted !== point) return;
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}

const { promises } = fs;
for (const name of ['rename', 'link', 'rm']) {
  const before = promises[name];
  promises[name] = async (path, ...others) => {
    const isOurs = String(path).startsWith(root);
    if (isOurs) at(`before ${name}`);
    const done = await before(path, ...others);
    if (isOurs) at(`after ${name}`);
    return done;
  };
}
const open = promises.open;
promises.open = async (path, flags, ...others) => {
  const handle = await open(path, flags, ...others);
  if (!String(path).startsWith(root)) return handle;
  const what = flags === 'wx' ? 'bytes' : 'folder';
  if (flags === 'wx') at('no bytes');
  const { sync, writeFile } = handle;
  handle.sync = async () => {
    at(`${what} not synced`);
    await sync.call(handle);
    at(`${what} synced`);
  };
  handle.writeFile = async (...all) => {
    await writeFile.apply(handle, all);
    at('some bytes');
  };
  return handle;
};
syncBuiltinESMExports();

const writeHead = http.ServerResponse.prototype.writeHead;
http.ServerResponse.prototype.writeHead = function (...all) {
  if (this.req.method !== 'GET' && this.req.url.startsWith('/storage/v1/object')) at('the answer');
  return writeHead.apply(this, all);
};
