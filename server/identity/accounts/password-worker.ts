// The thread that hashes passwords, as text: it is started with `eval` so that a bundled server needs no second file.
// It lowers its own priority where the system lets it (Linux), so that hashing yields to everything else.

export const passwordWorker = `
const { parentPort, workerData } = require('node:worker_threads');
const { readlinkSync } = require('node:fs');
const { setPriority } = require('node:os');
try {
  setPriority(Number(readlinkSync('/proc/thread-self').split('/').pop()), 10);
} catch {}
const argon2 = require(workerData.argon2);
const bcrypt = require(workerData.bcrypt);
parentPort.on('message', ({ id, password, stored, options }) => {
  try {
    if (stored === null) parentPort.postMessage({ id, value: argon2.hashSync(password, options) });
    else if (stored.startsWith('$argon2')) parentPort.postMessage({ id, value: argon2.verifySync(stored, password) });
    else parentPort.postMessage({ id, value: bcrypt.verifySync(password, stored) });
  } catch (error) {
    parentPort.postMessage({ id, error: String(error && error.message || error) });
  }
});
`;
