// Records of a test run: its logs and its secrets. Helpers that start a server keep its log, and those that make or use a secret note it.
// When the run ends, `cluster.ts` looks for every secret in all that was logged.

import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { allSettings } from '../../server/commands/parse-arguments.ts';

/** Shorter ones are words, which stand in logs for other reasons. */
const shortest = 12;
const secretSettings = new Set(allSettings().flatMap(({ env, secret }) => (secret === true ? [env] : [])));

/** A log and a list of secrets for each process of the run. */
export class Records {
  readonly #directory: string;
  readonly #files = new Map<string, number>();
  readonly #noted = new Set<string>();

  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true });
  }

  keepLog(text: string): void {
    writeSync(this.#open('log'), text.endsWith('\n') ? text : `${text}\n`);
  }

  keepSecret(value: string): void {
    if (value.length < shortest || this.#noted.has(value)) return;
    this.#noted.add(value);
    writeSync(this.#open('secrets'), `${JSON.stringify(value)}\n`);
  }

  /** Of settings by name, those that hold a secret: passwords in addresses, private parts of keys, or all of it. */
  keepSettings(given: Readonly<Record<string, string | undefined>>): void {
    for (const [name, text = ''] of Object.entries(given))
      if (secretSettings.has(name)) for (const value of secretsIn(text)) this.keepSecret(value);
  }

  /** Of a body that is sent to a door which knows secrets, or comes back, of an address, and of a mail. */
  keepSecretsOf(text: string): void {
    for (const [, value = ''] of text.matchAll(
      /"(?:password|access_token|refresh_token|hashed_token|secret|token)": ?"([^"\\]+)"/g,
    ))
      this.keepSecret(value);
    // Of what has parts, the last one is what nobody else can know: a signature.
    for (const [, value = ''] of text.matchAll(/(?:[?&]token=|\/ical\/|\/invitation[/#]|\/join#)([\w.-]+)/g))
      this.keepSecret(
        value
          .replace(/\.ics$/, '')
          .split('.')
          .at(-1) ?? '',
      );
    // The token of an invitation or a join link comes alone.
    this.keepSecret(/^"([\w-]+)"$/.exec(text)?.[1] ?? '');
  }

  close(): void {
    for (const file of this.#files.values()) closeSync(file);
    this.#files.clear();
  }

  #open(kind: string): number {
    const known = this.#files.get(kind);
    if (known !== undefined) return known;
    const made = openSync(join(this.#directory, `${kind}-${process.pid}`), 'a');
    this.#files.set(kind, made);
    return made;
  }
}

function secretsIn(text: string): string[] {
  const password = /:\/\/[^:@/?]*:([^@]+)@/.exec(text)?.[1];
  if (password !== undefined) return [decodeURIComponent(password)];
  if (/^[a-z]+:\/\//.test(text)) return [];
  if (/^[{[]/.test(text)) return [...text.matchAll(/"(?:d|k|clientSecret)":"([^"]+)"/g)].map(([, value = '']) => value);
  return text.split(',').map((one) => one.trim());
}

/** Lines in which something secret stands, with what it begins with, and how much there was to look through. */
export function findSecrets(directory: string): { leaks: string[]; lines: number; secrets: number } {
  const read = (kind: string): string[] =>
    readdirSync(directory)
      .filter((name) => name.startsWith(`${kind}-`))
      .flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n'))
      .filter((line) => line !== '');
  const all = new Set(read('secrets').map((line) => JSON.parse(line) as string));
  // Most are one word, and words are looked up; the few others are looked for.
  const isWord = (value: string): boolean => /^[\w-]+$/.test(value);
  const phrases = [...all].filter((value) => !isWord(value));
  const lines = read('log');
  const leaks = lines.flatMap((line) => {
    const found = [
      ...(line.match(/[\w-]{12,}/g) ?? []).filter((word) => all.has(word)),
      ...phrases.filter((phrase) => line.includes(phrase)),
      // Whoever made it.
      ...(line.match(/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+|\bsb_secret_[\w-]{8,}|\$argon2id\$/g) ?? []),
    ];
    return found.map((secret) => `${secret.slice(0, 6)}… in ${line.slice(0, 300)}`);
  });
  return { leaks, lines: lines.length, secrets: all.size };
}

const directory = process.env.KANBASE_TEST_RECORDS;

/** Of this process; null outside of a run. */
export const records = directory === undefined ? null : new Records(directory);

/** Doors that are told secrets or tell them: what one signs in with, feeds, invitations, signed addresses, what ends mails. */
const knowing =
  /\/auth\/v1\/|\/rpc\/(?:\w+_calendar_feed|invite_member|invitation_\w+|accept_invitation|\w*join_link\w*|join_by_link)$|\/object\/(?:upload\/)?sign\/|\/(?:ical|invitation)\/|\/unsubscribe/;

/** `fetch`, noting what goes to and comes from such a door. */
export const notedFetch: typeof fetch = async (input, init) => {
  const address = input instanceof Request ? input.url : String(input);
  if (records === null || !knowing.test(address)) return fetch(input, init);
  records.keepSecretsOf(address);
  if (typeof init?.body === 'string') records.keepSecretsOf(init.body);
  const answer = await fetch(input, init);
  // Files and calendars tell none.
  if (/json/.test(answer.headers.get('content-type') ?? '')) records.keepSecretsOf(await answer.clone().text());
  return answer;
};
