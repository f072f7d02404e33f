// Files of a task at the storage door: every verb of the official client by everybody, and after each the file as it should be.

import { tryVerb, verbsWith } from '../files/verbs.ts';
import { everybody, type Ground, isMember, type Who } from './callers-and-board.ts';
import type { Note } from './cells.ts';

/** Two pictures of one point, since a picture can be resized, too. */
export const [before, after] = [
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
].map((text) => Buffer.from(text, 'base64')) as [Buffer, Buffer];

interface Due {
  readonly door: string;
  readonly may: readonly Who[];
  readonly viewer: string;
  readonly stranger: string;
}

const members: readonly Who[] = ['owner', 'editor', 'viewer'];
const writers: readonly Who[] = ['owner', 'editor'];
const reading = { door: 'files: reading', may: members, viewer: 'ok' };
const writing = { door: 'files: writing', may: writers, viewer: '403' };

const due: Readonly<Record<string, Due>> = {
  upload: { ...writing, stranger: '403' },
  upsert: { ...writing, stranger: '403' },
  update: { ...writing, stranger: '403' },
  'sign upload': { ...writing, stranger: '403' },
  move: { ...writing, stranger: '404' },
  copy: { ...writing, stranger: '404' },
  remove: { ...writing, viewer: 'none', stranger: 'none' },
  download: { ...reading, stranger: '404' },
  resize: { ...reading, stranger: '404' },
  info: { ...reading, stranger: '404' },
  list: { ...reading, stranger: 'none' },
  sign: { ...reading, stranger: '404' },
  // The bucket is not public.
  'by address': { ...reading, may: [], viewer: '404', stranger: '404' },
};

/** As this protocol says of a token that is none. */
const noSession = '400';

export async function askFiles({ app, board, clientOf }: Ground, note: Note): Promise<void> {
  const server = app.client({ key: app.serviceKey }).storage.from('attachments');
  const folder = `${board.project}/${board.tasks[0]}`;
  for (const [name, verb] of Object.entries(verbsWith(after))) {
    const { door, may, viewer, stranger } = due[name] as Due;
    for (const who of everybody) {
      const [path, other] = [`${folder}/${name} ${who}.png`, `${folder}/${name} ${who} 2.png`];
      const bucket = clientOf(who).storage.from('attachments');
      const { result, kept } = await tryVerb(verb, { bucket, server, path, other, before });
      const otherwise = isMember(who) ? viewer : stranger;
      const wanted = may.includes(who) ? 'ok' : who === 'signed out' && name !== 'by address' ? noSession : otherwise;
      note({ door, who, what: name, due: wanted, came: kept ? result : `${result}, but the file says otherwise` });
    }
  }
}
