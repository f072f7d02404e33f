// Files of a task at the storage door: every verb of the official client by everybody, and after each the file as it should be.

import { tryVerb, verbsWith } from '../files/verbs.ts';
import { callers, may, sees, type Who } from './callers.ts';
import { each, type Ground, groundOf } from './callers-and-board.ts';
import type { Note } from './cells.ts';
import { pathOf } from './questions.ts';

/** Two pictures of one point, since a picture can be resized, too. */
export const [before, after] = [
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
].map((text) => Buffer.from(text, 'base64')) as [Buffer, Buffer];

interface Due {
  readonly door: string;
  readonly isDue: (who: Who) => boolean;
  /** What they get who see the file and may not, and those to whom there is none. */
  readonly refused: string;
  readonly stranger: string;
}

/** A file that lies with a task and is none of its attachments: nothing of it is in a public link. */
const isSeen = (who: Who): boolean => sees(who, 'tasks') && callers[who].link === undefined;
const reading = { door: 'files: reading', isDue: isSeen, refused: 'ok' };
const writing = {
  door: 'files: writing',
  isDue: (who: Who) => may(who, 'insert', 'task_attachments'),
  refused: '403',
};

const dueTo: Readonly<Record<string, Due>> = {
  upload: { ...writing, stranger: '403' },
  upsert: { ...writing, stranger: '403' },
  update: { ...writing, stranger: '403' },
  'sign upload': { ...writing, stranger: '403' },
  move: { ...writing, stranger: '404' },
  copy: { ...writing, stranger: '404' },
  remove: { ...writing, refused: 'none', stranger: 'none' },
  download: { ...reading, stranger: '404' },
  resize: { ...reading, stranger: '404' },
  info: { ...reading, stranger: '404' },
  list: { ...reading, stranger: 'none' },
  sign: { ...reading, stranger: '404' },
  // The bucket is not public.
  'by address': { ...reading, isDue: () => false, refused: '404', stranger: '404' },
};

/** As this protocol says of a token that is none. */
const noSession = '400';

export async function askFiles(ground: Ground, note: Note): Promise<void> {
  await each((who) => askFilesAs(ground, who, note));
}

export async function askFilesAs(ground: Ground, who: Who, note: Note): Promise<void> {
  const { app, board, clientOf, tokenOf } = groundOf(ground, who);
  const server = app.client({ key: app.serviceKey }).storage.from('attachments');
  const folder = `${board.project}/${board.tasks[0]}`;
  const bucket = clientOf(who).storage.from('attachments');
  for (const [name, verb] of Object.entries(verbsWith(after))) {
    const { door, isDue, refused, stranger } = dueTo[name] as Due;
    const [path, other] = [`${folder}/${name} ${who}.png`, `${folder}/${name} ${who} 2.png`];
    const { result, kept } = await tryVerb(verb, { bucket, server, path, other, before });
    const { hasEnded, link } = callers[who];
    // Its role may write nothing; a copy is looked for first.
    const unseen = link !== undefined && door === writing.door && name !== 'copy' ? '403' : stranger;
    const otherwise = hasEnded === true && name !== 'by address' ? noSession : isSeen(who) ? refused : unseen;
    const came = kept ? result : `${result}, but the file says otherwise`;
    note({ door, who, what: name, due: isDue(who) ? 'ok' : otherwise, came });
  }
  const token = tokenOf(who);
  const attachment = `/storage/v1/object/authenticated/attachments/${pathOf(board)}`;
  const { ok } = await app.request(attachment, token === undefined ? {} : { token });
  const isShown = sees(who, 'task_attachments') && callers[who].link !== 'no parts';
  note({ door: 'files: reading', who, what: 'an attachment', due: String(isShown), came: String(ok) });
}
