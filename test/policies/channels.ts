// Realtime API: rows of every published table, and broadcasts and presence in private topics.

import type { SupabaseClient } from '@supabase/supabase-js';
import { Events, hangUp, type Row, subscribe } from '../realtime/subscribe.ts';
import { matrix } from '../sql/matrix-cells.ts';
import { everybody, type Ground, isMember, roleOf, type Who } from './callers-and-board.ts';
import type { Note } from './cells.ts';
import { listen, makeMarks, publishedTables, rewriteRows } from './live.ts';

type Clients = Readonly<Record<Who, SupabaseClient>>;
const clientsOf = ({ clientOf }: Ground): Clients =>
  Object.fromEntries(everybody.map((who) => [who, clientOf(who)])) as Clients;

/** The project is deleted at the end: nothing else can be asked of the ground afterwards. */
export async function askLiveRows(ground: Ground, note: Note): Promise<void> {
  const { app, board } = ground;
  const published = await publishedTables(app);
  const unknown = published.filter((table) => matrix[table] === undefined);
  if (unknown.length > 0) throw new Error(`Nobody says who sees ${unknown.join(', ')}`);
  await makeMarks(app);
  const listeners = await listen(app, clientsOf(ground));
  const rewritten = await listeners.during(() => rewriteRows(app, board));
  const heardBy = (event: string, heard: string[] | null): string =>
    heard === null ? 'not let in' : heard.includes(event) ? 'heard' : 'not heard';
  for (const table of published)
    for (const who of everybody) {
      const sees = matrix[table]?.sees.includes(roleOf(who)) === true;
      const due = who === 'signed out' ? 'not let in' : sees ? 'heard' : 'not heard';
      const came = heardBy(`UPDATE ${table}`, rewritten[who]);
      note({ door: 'live changes', who, what: `a row of ${table} is written`, due, came });
    }
  const ended = await listeners.during(async () => {
    await app.sql('delete from public.projects where id = $1', [board.project]);
  });
  for (const who of everybody) {
    const due = who === 'signed out' ? 'not let in' : isMember(who) ? 'heard' : 'heard nothing at all';
    const heard = ended[who];
    const came = heard?.length === 0 ? 'heard nothing at all' : heardBy('DELETE tasks', heard ?? null);
    note({ door: 'live changes', who, what: 'the project ends', due, came });
  }
  await listeners.close();
}

export async function askTopics(ground: Ground, note: Note): Promise<void> {
  const { app, board } = ground;
  const clients = clientsOf(ground);
  const topic = `project:${board.project}`;
  const own = `user:${board.people.editor.id}`;
  const door = 'private topics';
  const config = { private: true };
  const say = (who: Who, what: string, due: string, came: string): void => note({ door, who, what, due, came });
  for (const who of everybody) {
    const [let_in, out] = ['let in', 'not let in'];
    const joins = async (name: string): Promise<string> => {
      const channel = clients[who].channel(name, { config });
      const came = await subscribe(channel).then(
        () => let_in,
        () => out,
      );
      await clients[who].removeChannel(channel);
      return came;
    };
    say(who, 'to listen in the project’s', isMember(who) ? let_in : out, await joins(topic));
    say(who, 'to listen in one that goes on from it', isMember(who) ? let_in : out, await joins(`${topic}:task`));
    say(who, 'to listen in the editor’s own', who === 'editor' ? let_in : out, await joins(own));
    const speaks = (name: string): Promise<string> =>
      clients[who]
        .channel(name, { config })
        .httpSend('word', { by: who })
        .then(
          ({ success }) => (success ? let_in : out),
          () => out,
        );
    say(who, 'to speak in the project’s', isMember(who) ? let_in : out, await speaks(topic));
    say(who, 'to speak in the editor’s own', who === 'editor' ? let_in : out, await speaks(own));
    await hangUp(clients[who]);
  }
  await askEavesdroppers(app, topic, clients, say);
}

type Say = (who: Who, what: string, due: string, came: string) => void;

/** A public topic of the same name is another one: what is said and who is there in the private one does not come to it. */
async function askEavesdroppers(app: Ground['app'], topic: string, clients: Clients, say: Say): Promise<void> {
  const strangers = everybody.filter((who) => !isMember(who) && who !== 'signed out');
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
