// Starts nginx or Caddy for a test, waits until it listens, and ends it.

import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface RunningProxies {
  /** The command with its arguments; resolves once something listens there. */
  launch(
    command: readonly string[],
    at: { readonly port: number; readonly host?: string },
    env?: NodeJS.ProcessEnv,
  ): Promise<void>;
  end(): Promise<void>;
}

export function runningProxies(): RunningProxies {
  const running: ChildProcess[] = [];
  return {
    async launch([command = '', ...args], { port, host = '127.0.0.1' }, env = {}) {
      const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } });
      running.push(child);
      let words = '';
      child.stderr.on('data', (text: Buffer) => {
        words += text.toString();
      });
      while (child.exitCode === null) {
        if (await listens(port, host)) return;
        await pause(20);
      }
      throw new Error(`${command} ended: ${words}`);
    },
    async end() {
      for (const child of running.filter(({ exitCode }) => exitCode === null)) {
        const gone = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGTERM');
        await gone;
      }
    },
  };
}

function listens(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** What Debian's nginx.conf has around a file of conf.d, in a directory of the test's own. */
export function aroundNginx(directory: string, inside: string): string {
  return `
    daemon off;
    pid ${directory}/nginx.pid;
    error_log stderr;
    events {}
    http {
      access_log off;
      ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${directory}/${name};`).join(' ')}
      ${inside}
    }`;
}
