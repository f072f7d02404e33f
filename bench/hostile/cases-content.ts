// Hostile files, pictures, texts and rules: what people bring into a project, and what the server does with it afterwards.

import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import type { Attack, HostileCase } from './attack.ts';

const bytes = { 'content-type': 'application/octet-stream' };

/** Uploads a file, looks at it, begins it. */
async function bring(attack: Attack, name: string, file: Buffer, choices: object): Promise<void> {
  const { text, status } = await attack.send('POST', `/api/imports/?name=${name}`, file, bytes);
  if (status !== 201) return;
  const { id } = JSON.parse(text) as { id: string };
  const body = JSON.stringify({ ...choices, name: 'Brought' });
  await attack.send('POST', `/api/imports/${id}/preview`, body);
  await attack.send('POST', `/api/imports/${id}/start`, body);
  for (let asked = 0; asked < 300 && !attack.isOver(); asked++) {
    const { text: job } = await attack.send('GET', `/api/imports/${id}`);
    if (/"state":"(done|failed|cancelled)"/.test(job)) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const people = { mapping: ['title', 'assignees'] };
const words = { mapping: ['title', 'description'] };
const table = (cell: string): Buffer => Buffer.from(`Title,Assignees\nOne,${cell}\n`);

async function addTasks(
  attack: Attack,
  count: number,
  values: (index: number) => object = () => ({}),
): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, index) => ({
    id: randomUUID(),
    project_id: attack.project,
    column_id: attack.column,
    title: `Task ${index}`,
    ...values(index),
  }));
  await attack.send('POST', '/rest/v1/tasks', JSON.stringify(rows), { prefer: 'return=minimal' });
  return rows.map(({ id }) => id);
}

/** A file of the project, at this name. */
async function upload(attack: Attack, name: string, image: Buffer): Promise<string> {
  const path = `attachments/${attack.project}/${(await addTasks(attack, 1))[0]}/${randomUUID()}/${name}`;
  await attack.send('POST', `/storage/v1/object/${path}`, image, { 'content-type': 'image/png' });
  return path;
}

let picture = '';
let file = Buffer.alloc(0);
const states = ['Ideas', 'Doing', 'Done'];

/** A comment, a step and two labels a card. */
function trelloBoard(cards: number): object {
  const each = <Item>(make: (n: number) => Item): Item[] => Array.from({ length: cards }, (_, n) => make(n));
  return {
    id: 'bench',
    name: 'Bench',
    lists: states.map((name, at) => ({ id: `l${at}`, name, pos: at })),
    labels: ['quay', 'crane', 'rope', 'tide'].map((name, at) => ({ id: `b${at}`, name, color: 'green' })),
    cards: each((n) => ({
      id: `c${n}`,
      name: `Card ${n} of the harbour`,
      desc: 'A line about the quay and the crane. '.repeat(4),
      idList: `l${n % 3}`,
      idLabels: [`b${n % 4}`, `b${(n + 1) % 4}`],
      pos: n,
      due: n % 4 === 0 ? '2026-12-24T10:00:00.000Z' : null,
    })),
    checklists: each((n) => ({
      id: `k${n}`,
      idCard: `c${n}`,
      name: 'Steps',
      checkItems: [{ id: `i${n}`, name: 'Look', state: 'incomplete' }],
    })),
    actions: each((n) => ({
      id: `a${n}`,
      type: 'commentCard',
      date: '2026-01-05T10:00:00.000Z',
      memberCreator: { id: 'm', fullName: 'Mo' },
      data: { text: `Seen to: ${n}`, card: { id: `c${n}` } },
    })),
  };
}

export const contentCases: readonly HostileCase[] = [
  {
    name: 'a CSV of 30 kB whose assignee is a@ 15,000 times',
    run: (attack) => bring(attack, 'people.csv', table('a@'.repeat(15_000)), people),
  },
  {
    name: 'a CSV of 293 kB whose assignee is a 293,000 times',
    run: (attack) => bring(attack, 'people.csv', table('a'.repeat(293_000)), people),
  },
  {
    name: 'a CSV whose description is <a 50,000 times',
    run: (attack) => bring(attack, 'tags.csv', table('<a '.repeat(50_000)), words),
  },
  {
    name: 'an honest table of 58 MB, 200,000 rows',
    seconds: 60,
    middleMs: 12_000,
    prepare: async () => {
      const rows = Array.from(
        { length: 200_000 },
        (_, n) =>
          `T-${n},Task ${n} of the harbour,${states[n % 3]},"quay, crane",${n % 4 === 0 ? '2026-12-24' : ''},${'words of an honest description '.repeat(7)}${n}`,
      );
      file = Buffer.from(`ID,Title,Status,Labels,Due date,Description\n${rows.join('\n')}\n`);
    },
    run: (attack) => bring(attack, 'honest.csv', file, {}),
  },
  {
    name: 'an honest board of Trello of 58 MB, 100,000 cards',
    seconds: 60,
    middleMs: 12_000,
    prepare: async () => {
      file = Buffer.from(JSON.stringify(trelloBoard(100_000)));
    },
    run: (attack) => bring(attack, 'board.json', file, {}),
  },
  ...(
    [
      ['200 sizes of a picture of 49 Mpx', 7000, false],
      ['200 sizes of a progressive picture of 49 Mpx', 7000, true],
      ['200 sizes of a progressive picture of 29 Mpx', 5390, true],
    ] as const
  ).map(
    ([name, side, progressive]): HostileCase => ({
      name,
      prepare: async (attack) => {
        const noise = { type: 'gaussian' as const, mean: 128, sigma: 20 };
        const tile = sharp({ create: { width: 700, height: 700, channels: 3, background: 'teal', noise } }).png();
        const large = sharp(await tile.toBuffer()).resize(side, side);
        picture = await upload(attack, 'large.jpg', await large.jpeg({ progressive }).toBuffer());
      },
      run: (attack) =>
        attack.repeat(200, 200, (index) =>
          attack.send('GET', `/storage/v1/render/image/authenticated/${picture}?width=${1000 + index}`),
        ),
    }),
  ),
  {
    name: 'a picture of 49 Mpx in 50 kB, 50 sizes',
    prepare: async (attack) => {
      const flat = await sharp({ create: { width: 7000, height: 7000, channels: 3, background: 'black' } })
        .png()
        .toBuffer();
      picture = await upload(attack, 'flat.png', flat);
    },
    run: (attack) =>
      attack.repeat(50, 50, (index) =>
        attack.send('GET', `/storage/v1/render/image/authenticated/${picture}?width=${100 + index}&format=avif`),
      ),
  },
  {
    name: '400 rules that never come',
    run: async (attack) => {
      const rows = (await addTasks(attack, 400)).map((task_id, index) => ({
        task_id,
        rule:
          index % 2 === 0 ? 'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=9' : 'FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=400',
      }));
      await attack.send('POST', '/rest/v1/task_recurrences', JSON.stringify(rows), { prefer: 'return=minimal' });
      await attack.repeat(1, 20, () => new Promise((resolve) => setTimeout(resolve, 200)));
    },
  },
  {
    name: 'comments of 50,000 characters that mention everybody, again and again',
    run: async (attack) => {
      const [task] = await addTasks(attack, 1);
      const { text } = await attack.send(
        'GET',
        `/rest/v1/project_members?select=user_id&project_id=eq.${attack.large}`,
      );
      const people = (JSON.parse(text || '[]') as { user_id: string }[]).map(({ user_id }) => `@[x](${user_id})`);
      const body = `${people.join(' ')} ${'@[a](b) '.repeat(6000)}`.slice(0, 50_000);
      await attack.repeat(4, 1000, () =>
        attack.send('POST', '/rest/v1/task_comments', JSON.stringify({ task_id: task, body }), {
          prefer: 'return=minimal',
        }),
      );
    },
  },
  {
    name: 'descriptions of > 20,000 times and of [ 20,000 times',
    run: async (attack) => {
      const [task] = await addTasks(attack, 1);
      const texts = ['> '.repeat(20_000), '['.repeat(20_000), `${'*a_'.repeat(10_000)}`, '@['.repeat(20_000)];
      await attack.repeat(4, 400, (index) =>
        attack.send(
          'PATCH',
          `/rest/v1/tasks?id=eq.${task}`,
          JSON.stringify({ description: texts[index % texts.length] }),
        ),
      );
    },
  },
  {
    name: 'every export of 20 projects at once',
    run: async (attack) => {
      const { text } = await attack.send('GET', '/rest/v1/projects?select=id&limit=20');
      const projects = (JSON.parse(text || '[]') as { id: string }[]).map(({ id }) => id);
      const all = projects.flatMap((project_id) =>
        ['json', 'csv', 'markdown', 'ical'].map((format) => ({ project_id, format })),
      );
      await attack.repeat(4, all.length, (index) =>
        attack.send('POST', '/rest/v1/rpc/begin_export', JSON.stringify(all[index])),
      );
      await attack.repeat(1, 25, () => new Promise((resolve) => setTimeout(resolve, 200)));
    },
  },
];
