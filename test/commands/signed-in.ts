// The command line signed in at a running app: a process of its own per command, a configuration folder of its own per person.

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SupabaseClient } from '@supabase/supabase-js';
import { expect } from 'vitest';
import type { TestApp } from '../helpers/app.ts';
import { type Ended, launchKanbase, runKanbase } from '../helpers/kanbase.ts';

export interface CommandLine {
  readonly person: SupabaseClient;
  readonly id: string;
  /** File of the sign-ins. */
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
  run(...args: string[]): Promise<Ended>;
  runWith(input: string, ...args: string[]): Promise<Ended>;
  /** Runs it, and fails unless it ends with 0; its output, parsed. */
  json<T>(...args: string[]): Promise<T>;
  login(...flags: string[]): Promise<Ended>;
  /** As if the access token were over. */
  expire(): void;
}

let people = 0;

export async function openCommandLine(app: TestApp, folder: string): Promise<CommandLine> {
  const person = app.client();
  people += 1;
  const { data, error } = await person.auth.signUp({
    email: `liner${people}@example.test`,
    password: 'secret1',
    options: { data: { name: `Ada ${people}` } },
  });
  expect(error).toBeNull();
  const config = join(folder, `config-${people}`);
  const env = { XDG_CONFIG_HOME: config, HOME: folder };
  const file = join(config, 'kanbase', 'sign-ins.json');
  const run = (...args: string[]): Promise<Ended> => runKanbase(args, { env, cwd: folder });
  return {
    person,
    id: data.user?.id ?? '',
    file,
    env,
    run,
    runWith: (input, ...args) => runKanbase(args, { env, cwd: folder, input }),
    async json(...args) {
      const { code, stdout, stderr } = await run(...args, '--json');
      expect([code, stderr]).toEqual([0, '']);
      return JSON.parse(stdout);
    },
    async login(...flags) {
      const command = await launchKanbase(['login', app.url, ...flags], { env, cwd: folder });
      const said = await command.until(/code \S+\n/, 'stderr');
      const [, code = ''] = /code (\S+)\n/.exec(said) ?? [];
      const token = (await person.auth.getSession()).data.session?.access_token;
      const { body: found } = await app.call('POST', '/auth/v1/oauth/device', { user_code: code }, token);
      const answer = await app.call(
        'POST',
        `/auth/v1/oauth/authorizations/${found.authorization_id}/consent`,
        { action: 'approve' },
        token,
      );
      expect(answer.status).toBe(200);
      return command.ended;
    },
    expire() {
      const read = JSON.parse(readFileSync(file, 'utf8'));
      for (const one of Object.values<{ expiresAt: number }>(read.instances)) one.expiresAt = 0;
      writeFileSync(file, JSON.stringify(read), { mode: statSync(file).mode });
    },
  };
}
