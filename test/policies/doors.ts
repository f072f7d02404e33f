// All that everybody is asked at every door, in one run over one ground: rows, procedures, files, feeds, texts of refusals, live changes and topics.

import type { OpenApi } from '../../server/http/open-api.ts';
import { callers, everybody, isStranger, sees, type Who } from './callers.ts';
import { type Ground, groundOf } from './callers-and-board.ts';
import { inShort, type Note } from './cells.ts';
import { askLiveRows, askTopics } from './channels.ts';
import { askFiles } from './files.ts';
import { askProcedures } from './procedures.ts';
import { asking, askTwice, questions, theirWords, withRelated } from './questions.ts';
import { askRows } from './rows.ts';

export async function askEveryDoor(ground: Ground, note: Note): Promise<void> {
  await askRows(ground, note);
  await askProcedures(ground, note);
  await askFiles(ground, note);
  await askFeeds(ground, note);
  await askStrangers(ground, note);
  await askScim(ground, note);
  await askAgents(ground, note);
  await askTopics(ground, note);
  // It ends the project.
  await askLiveRows(ground, note);
}

export async function askFeeds({ app, board, feeds, removed, tokenOf }: Ground, note: Note): Promise<void> {
  const asked = [
    // An address is a secret of its own: whoever has it needs no account.
    ['the address that the editor has', feeds.editor, '200'],
    ['the address of who was removed', feeds.removed, '404'],
    ['an address made of the feed’s id', `/ical/${board.feed}.ics`, '404'],
  ] as const;
  for (const [what, path, due] of asked)
    for (const who of everybody) {
      const token = tokenOf(who);
      const answer = await app.request(path, token === undefined ? {} : { token });
      note({ door: 'feeds', who, what, due, came: (await inShort(answer)).slice(0, 3) });
    }
  // It is a row of their own, and would be told of as such.
  await removed.client.from('calendar_feeds').delete().eq('project_id', board.project);
}

/** It is for providers alone, whoever a person is. */
async function askScim({ app, tokenOf }: Ground, note: Note): Promise<void> {
  for (const who of everybody)
    for (const what of ['/scim/v2/Users', '/scim/v2/Groups', '/scim/v2/Schemas']) {
      const token = tokenOf(who);
      const { status } = await app.request(what, token === undefined ? {} : { token });
      note({ door: 'scim', who, what, due: '401', came: String(status) });
    }
}

/** Neither an account nor a program. */
const isStopped = (who: Who): boolean => {
  const { role, link, hasEnded } = callers[who];
  return role === 'anonymous' || link !== undefined || hasEnded === true;
};

/** Those who see a task read it as Markdown; for others there is none. */
export async function askAgents(ground: Ground, note: Note): Promise<void> {
  const { app, tokenOf } = ground;
  for (const who of everybody) {
    const { board } = groundOf(ground, who);
    const token = tokenOf(who);
    const call = { name: 'get_task', arguments: { task: board.tasks[0] } };
    const answer = await app.request('/mcp', {
      method: 'POST',
      ...(token === undefined ? {} : { token }),
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
    });
    const text = await answer.text();
    const came = answer.status === 200 ? (/"isError":true/.test(text) ? 'none' : 'read') : String(answer.status);
    note({
      door: 'mcp',
      who,
      what: 'get_task',
      due: isStopped(who) ? '401' : sees(who, 'tasks') ? 'read' : 'none',
      came,
    });
  }
}

/** Theirs and nobody's, and everything that is shown at all. */
async function askStrangers({ app, board, tokenOf }: Ground, note: Note): Promise<void> {
  const document = (await (await app.request('/openapi.json')).json()) as OpenApi;
  for (const who of everybody.filter(isStranger)) {
    const ask = asking(app, tokenOf(who));
    for (const question of questions(document)) {
      const { told, untold } = await askTwice(ask, board, question);
      const came = told === untold ? 'alike' : `${told} and of nobody’s ${untold}`;
      note({ door: 'texts: theirs and nobody’s', who, what: question.what, due: 'alike', came });
    }
    for (const path of withRelated(document)) {
      const word = theirWords.exec(await ask('GET', path))?.[0];
      note({ door: 'texts: no word of theirs', who, what: path, due: 'none', came: word ?? 'none' });
    }
  }
}
