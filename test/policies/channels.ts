// Realtime API: rows of every published table, and broadcasts and presence in private topics.

import type { SupabaseClient } from '@supabase/supabase-js';
import { Events, hangUp, type Row, subscribe } from '../realtime/subscribe.ts';
import { matrix } from '../sql/matrix-cells.ts';
import { callers, everybody, isMember, isStranger, sees, type Who } from './callers.ts';
import { each, type Ground, groundOf } from './callers-and-board.ts';
import type { Note } from './cells.ts';
import { listen, makeMarks, publishedTables, rewriteRows } from './live.ts';
import { levelOf } from './narrowing.ts';

type Clients = Readonly<Record<Who, SupabaseClient>>;
const clientsOf = ({ clientOf }: Ground): Clients =>
  Object.fromEntries(everybody.map((who) => [who, clientOf(who)])) as Clients;
/** Links and ended sessions open no socket. */
const isLetIn = (who: Who): boolean => callers[who].hasEnded !== true && callers[who].link === undefined;

/** The project is deleted at the end: nothing else can be asked of the ground afterwards. */
export async function askLiveRows(ground: Ground, note: Note): Promise<void> {
  const { app } = ground;
  const published = await publishedTables(app);
  const unknown = published.filter((table) => matrix[table] === undefined);
  if (unknown.length > 0) throw new Error(`Nobody says who sees ${unknown.join(', ')}`);
  await makeMarks(app);
  await Promise.all(everybody.map((who) => ground.clientOf(who).realtime.setAuth()));
  const listeners = await listen(app, clientsOf(ground));
  const { talking, closed } = ground;
  const rewritten = await listeners.during(async () => {
    for (const { board } of [ground, talking, closed]) await rewriteRows(app, board);
  });
  const heardBy = (event: string, heard: string[] | null): string =>
    heard === null ? 'not let in' : heard.includes(event) ? 'heard' : 'not heard';
  const door = 'live changes';
  for (const table of published)
    for (const who of everybody) {
      const due = !isLetIn(who) ? 'not let in' : sees(who, table) ? 'heard' : 'not heard';
      const came = heardBy(`UPDATE ${table}`, rewritten[who]);
      note({ door, who, what: `a row of ${table} is written`, due, came });
    }
  // A service account ends with its project, and its channels with it.
  const asked = everybody.filter((who) => callers[who].place === undefined && who !== 'service account');
  const ended = await listeners.during(async () => {
    await app.sql('delete from public.projects where id = $1', [ground.board.project]);
  }, asked);
  for (const who of asked) {
    const isTold = isMember(who) || callers[who].role === 'guest';
    const due = !isLetIn(who) ? 'not let in' : isTold ? 'heard' : 'heard nothing at all';
    const heard = ended[who];
    const came = heard?.length === 0 ? 'heard nothing at all' : heardBy('DELETE tasks', heard ?? null);
    note({ door, who, what: 'the project ends', due, came });
  }
  await listeners.close();
}

export async function askTopics(ground: Ground, note: Note): Promise<void> {
  await each((who) => askTopicsAs(ground, who, note));
  await askEavesdroppers(ground, (who, what, due, came) => note({ door: 'private topics', who, what, due, came }));
}

export async function askTopicsAs(ground: Ground, who: Who, note: Note): Promise<void> {
  const { board, clientOf } = groundOf(ground, who);
  const client = clientOf(who);
  // Else it would join without its token.
  await client.realtime.setAuth();
  const topic = `project:${board.project}`;
  const own = `user:${board.people.editor.id}`;
  const config = { private: true };
  const told = (isIn: boolean): string => (isIn ? 'let in' : 'not let in');
  const say = (what: string, due: boolean, came: boolean): void =>
    note({ door: 'private topics', who, what, due: told(due), came: told(came) });
  const joins = async (name: string): Promise<boolean> => {
    const channel = client.channel(name, { config });
    const came = await subscribe(channel).then(
      () => true,
      () => false,
    );
    await client.removeChannel(channel);
    return came;
  };
  const speaks = (name: string): Promise<boolean> =>
    client
      .channel(name, { config })
      .httpSend('word', { by: who })
      .then(
        ({ success }) => success,
        () => false,
      );
  const { program } = callers[who];
  const isIn = isMember(who);
  const mayWrite = isIn && (program === undefined || levelOf(program.scope) > 1);
  const isTheirs = who === 'editor';
  say('to listen in the project’s', isIn, await joins(topic));
  say('to listen in one that goes on from it', isIn, await joins(`${topic}:board`));
  say('to listen in that of a task', isIn && sees(who, 'tasks'), await joins(`${topic}:task:${board.tasks[0]}`));
  say('to listen in the editor’s own', isTheirs, await joins(own));
  say('to speak in the project’s', mayWrite, await speaks(topic));
  say('to speak in that of a task', mayWrite && sees(who, 'tasks'), await speaks(`${topic}:task:${board.tasks[0]}`));
  say('to speak in the editor’s own', isTheirs, await speaks(own));
  await hangUp(client);
}

type Say = (who: Who, what: string, due: string, came: string) => void;

/** A public topic of the same name is another one: what is said and who is there in the private one does not come to it. */
async function askEavesdroppers(ground: Ground, say: Say): Promise<void> {
  const { app, board } = ground;
  const clients = clientsOf(ground);
  const topic = `project:${board.project}`;
  const strangers = everybody.filter((who) => (isStranger(who) || callers[who].role === 'guest') && isLetIn(who));
  const heard = new Map(strangers.map((who) => [who, new Events<Row>()]));
  for (const who of strangers) {
    const channel = clients[who]
      .channel(topic)
      .on('broadcast', { event: '*' }, (message) => heard.get(who)?.add(message))
      .on('presence', { event: 'join' }, ({ key }) => heard.get(who)?.add({ event: `${key} is here` }));
    await subscribe(channel);
  }
  const member = clients.owner.channel(topic, { config: { private: true, broadcast: { ack: true } } });
  const there = new Events<Row>();
  member.on('presence', { event: 'join' }, () => there.add({}));
  await subscribe(member);
  await member.track({ open: true });
  await there.count(1, 'presence of the owner');
  await member.send({ type: 'broadcast', event: 'secret', payload: {} });
  // The last word is for all.
  await app.client().channel(topic).httpSend('mark', {});
  for (const who of strangers) {
    const events = heard.get(who) as Events<Row>;
    await events.first(({ event }) => event === 'mark', 'the mark');
    const came = events.list.map(({ event }) => String(event)).join(', ');
    say(who, 'what is said in private, from a public topic of its name', 'mark', came);
  }
  await hangUp(...strangers.map((who) => clients[who]), clients.owner);
}
