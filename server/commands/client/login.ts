// `kanbase login` and `kanbase logout`.

import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { CommandError, SignInError, UsageError } from '../command.ts';
import { type ClientCall, type ClientCommand, one } from './client-command.ts';
import { openInstance } from './instance.ts';
import { isPlainAbroad, requireAddress, sendRequest, UnavailableError } from './send-request.ts';
import { changeSignIns, readSignIns, type SignIn } from './sign-ins.ts';
import { askForTokens, type Device, revoke, signInOf, startDevice } from './tokens.ts';
import { cleanLine, paint, sayFacts, sayJson } from './write-output.ts';

const scopes = ['read', 'comment', 'write'];

export const login: ClientCommand = {
  name: 'login',
  summary: 'Sign in to an instance on a page there; tokens are saved on this machine.',
  about:
    'Tokens are saved in kanbase/sign-ins.json below XDG_CONFIG_HOME (~/.config), readable by you alone. In CI, set KANBASE_URL and KANBASE_KEY, a key from your account, instead; over http to another machine also KANBASE_INSECURE=1.',
  words: [{ name: 'ADDRESS', meaning: 'Of the instance, such as https://board.example.com.' }],
  flags: [
    { name: 'scope', value: 'scope', meaning: 'read, comment or write; write when left out.' },
    { name: 'no-browser', meaning: 'Only print the address of the page.' },
    { name: 'insecure', meaning: 'Sign in over http to another machine: tokens can be read on the way.' },
  ],
  examples: ['npx kanbase login https://board.example.com', 'npx kanbase login localhost:3000 --scope read'],
  run: signIn,
};

export const logout: ClientCommand = {
  name: 'logout',
  summary: 'End the sign-in at an instance, there and on this machine.',
  words: [{ name: 'ADDRESS', meaning: 'Left out: the usual one.', isOptional: true }],
  run: signOut,
};

export const whoami: ClientCommand = {
  name: 'whoami',
  summary: 'Show the instance and the account that commands use.',
  run: showAccount,
};

async function signIn(call: ClientCall): Promise<void> {
  const { screen, env } = call;
  const address = requireAddress(call.words[0] ?? '', 'ADDRESS');
  const scope = one(call, 'scope') ?? 'write';
  if (!scopes.includes(scope))
    throw new UsageError(`--scope must be ${scopes.join(', ')}, not ${JSON.stringify(scope)}`);
  if (isPlainAbroad(address) && !call.flags.has('insecure'))
    throw new CommandError(`${address} is not encrypted: use https, or add --insecure in a network you trust`);
  const settings = await sendRequest(address, '/api/settings');
  const { anonKey } = (settings.body ?? {}) as { anonKey?: unknown };
  if (settings.status !== 200 || typeof anonKey !== 'string')
    throw new CommandError(`${address} doesn't answer like a Kanbase: check the address`);
  const device = await startDevice(address, scope);
  const { page, isOwn } = pageOf(address, device);
  screen.note(`Open ${cleanLine(page)}`);
  if (!isOwn) screen.note(`That page is not at ${address}: open it only if you trust it`);
  screen.note(`and check that it shows the code ${paint(screen, 'bold', cleanLine(device.user_code))}`);
  if (isOwn && screen.isTerminal && !call.flags.has('no-browser')) openBrowser(page);
  const signedIn = signInOf(await waitForTokens(address, device), anonKey);
  let before: SignIn | undefined;
  await changeSignIns(env, (now) => {
    before = now.instances[address];
    const project = before?.project;
    const kept = project === undefined ? signedIn : { ...signedIn, project };
    return { ...now, current: address, instances: { ...now.instances, [address]: kept } };
  });
  // The session it replaces would be left behind.
  if (before !== undefined) await revoke(address, before).catch(() => undefined);
  await showAccount({ ...call, instance: () => openInstance({ ...env, KANBASE_KEY: undefined }, address) });
}

/** `isOwn`: at the instance itself. A browser is opened at no other page. */
export function pageOf(
  address: string,
  device: Pick<Device, 'verification_uri' | 'verification_uri_complete'>,
): { readonly page: string; readonly isOwn: boolean } {
  const sent = device.verification_uri_complete ?? device.verification_uri;
  if (!URL.canParse(sent) || !/^https?:$/.test(new URL(sent).protocol))
    throw new CommandError(`${address} names no page to sign in on`);
  const { href, origin } = new URL(sent);
  return { page: href, isOwn: origin === new URL(address).origin };
}

async function waitForTokens(address: string, device: Device): Promise<Parameters<typeof signInOf>[0]> {
  const until = Date.now() + device.expires_in * 1000;
  let interval = Math.max(1, device.interval ?? 5);
  let delay = interval;
  let fault: UnavailableError | null = null;
  while (Date.now() < until) {
    await wait(delay * 1000);
    try {
      const answer = await askForTokens(address, device);
      if (typeof answer === 'object') return answer;
      if (answer === 'slower') interval += 5;
      delay = interval;
      fault = null;
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      fault = error;
      delay = Math.min(delay * 2, Math.max(interval, 60));
    }
  }
  throw fault ?? new CommandError('the code has expired: run npx kanbase login again');
}

function openBrowser(page: string): void {
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open'];
  const child = spawn(program ?? '', [...args, page], { stdio: 'ignore', detached: true });
  // The address stands on the screen.
  child.on('error', () => undefined);
  child.unref();
}

async function signOut({ words, env, screen }: ClientCall): Promise<void> {
  const { current, instances: known } = readSignIns(env);
  const address = words[0] === undefined ? current : requireAddress(words[0], 'ADDRESS');
  if (address === null) throw new SignInError('you aren’t signed in anywhere');
  if (known[address] === undefined && Object.keys(known).length > 0)
    throw new UsageError(`you aren’t signed in at ${address}: choose ${Object.keys(known).join(', ')}`);
  let gone: SignIn | undefined;
  await changeSignIns(env, (now) => {
    const { [address]: removed, ...instances } = now.instances;
    gone = removed;
    const next = now.current === address ? (Object.keys(instances)[0] ?? null) : now.current;
    const { [address]: _, ...claims } = now.claims ?? {};
    return { current: next, instances, ...(Object.keys(claims).length === 0 ? {} : { claims }) };
  });
  if (gone === undefined) throw new SignInError(`you aren’t signed in at ${address}`);
  try {
    await revoke(address, gone);
    screen.note(`Signed out at ${address}`);
  } catch (error) {
    screen.note(
      `Signed out on this machine, but not at ${address} (${cleanLine((error as Error).message)}). End the session there under Connected apps`,
    );
  }
}

async function showAccount(call: ClientCall): Promise<void> {
  const instance = await call.instance();
  const id = await instance.me();
  const [profile] = await instance.read<readonly { display_name: string | null }[]>('profiles', [
    ['select', 'display_name'],
    ['id', `eq.${id}`],
  ]);
  const found = { instance: instance.address, id, name: profile?.display_name ?? null, project: instance.usualProject };
  if (call.flags.has('json')) return sayJson(call.screen, found);
  sayFacts(call.screen, [
    ['Instance', found.instance],
    ['Account', found.name ?? id],
    ['Project', found.project === null ? null : await nameOfProject(found.project)],
  ]);

  async function nameOfProject(named: string): Promise<string> {
    if (!/^[0-9a-f-]{36}$/i.test(named)) return named;
    const [project] = await instance.read<readonly { key: string; name: string }[]>('projects', [
      ['select', 'key,name'],
      ['id', `eq.${named}`],
    ]);
    return project === undefined ? named : `${project.key} ${project.name}`;
  }
}
