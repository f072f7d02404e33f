// Calls every procedure that takes an id, so that answers about different rows can be compared: a caller who may not see a row must get the
// answer of an id that never existed.

import { randomUUID } from 'node:crypto';
import type { TestApp } from '../helpers/app.ts';
import type { Board } from './board.ts';

/** By the names that arguments have. */
type Ids = Readonly<Record<string, string>>;

export const idsOf = (board: Board): Ids => ({
  project_id: board.project,
  task_id: board.tasks[0],
  task_ids: board.tasks[0],
  id: board.tasks[0],
  column_id: board.columns.todo,
  template_id: board.template,
  comment_id: board.comment,
  field_id: board.field,
  field_ids: board.field,
  view_id: board.view,
  invitation_id: board.invitation,
  link_id: board.joinLink,
  item_id: board.item,
  checklist_item_id: board.item,
  parent_id: board.tasks[1],
  before_id: board.tasks[1],
  after_id: board.tasks[1],
});

interface Procedure {
  readonly name: string;
  readonly args: readonly { readonly name: string; readonly type: string }[];
}

type Service = Pick<TestApp, 'sql' | 'request'>;

/** Those that take a row's id, as the catalog has them. */
async function proceduresById(app: Service, except: readonly string[] = []): Promise<Procedure[]> {
  const procedures = await app.sql<Procedure>(
    `select p.proname as name, jsonb_agg(jsonb_build_object('name', a.name, 'type', a.type::regtype::text) order by a.place) as args
     from pg_proc p, unnest(p.proargnames[1:p.pronargs], p.proargtypes::oid[]) with ordinality as a (name, type, place)
     where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and not p.proname = any ($1)
       and has_function_privilege('authenticated', p.oid, 'execute')
     group by p.oid, p.proname having bool_or(a.type in ('uuid'::regtype, 'uuid[]'::regtype)) order by 1`,
    [except],
  );
  if (procedures.length < 26) throw new Error(`Only ${procedures.length} procedures take an id`);
  return procedures;
}

/** To whoever asks, none of these rows is there: those procedures that answer otherwise, with what. */
export async function toldApart(
  app: Service,
  people: readonly { readonly token: string }[],
  ids: Ids,
  except: readonly string[] = [],
): Promise<string[]> {
  const nothing = Object.fromEntries(Object.keys(ids).map((name) => [name, randomUUID()]));
  const apart: string[] = [];
  for (const procedure of await proceduresById(app, except))
    for (const { token } of people) {
      const [told, untold] = [await ask(app, token, procedure, ids), await ask(app, token, procedure, nothing)];
      if (told !== untold) apart.push(`${told}, but of nothing ${untold}`);
    }
  return apart;
}

async function ask(app: Service, token: string, { name, args }: Procedure, ids: Ids): Promise<string> {
  const body = Object.fromEntries(
    args
      // A new id of one's own is no id of a row.
      .filter((arg) => arg.name !== 'new_id' && (ids[arg.name] !== undefined || !arg.type.startsWith('uuid')))
      .map((arg) => [arg.name, argumentOf(arg.name, arg.type, ids[arg.name] ?? '')]),
  );
  const answer = await app.request(`/rest/v1/rpc/${name}`, {
    method: 'POST',
    token,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = (await answer.text())
    .replace(/\d{4}-\d\d-\d\d[T ][\d:.]+(\+00(:00)?|Z)/g, 'then')
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'id');
  return `${name}: ${answer.status} ${text}`;
}

const words: Readonly<Record<string, string>> = {
  kind: 'project',
  format: 'json',
  role: 'viewer',
  email: 'somebody@example.test',
};

function argumentOf(name: string, type: string, id: string): unknown {
  if (type === 'uuid') return id;
  if (type === 'uuid[]') return [id];
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'bigint') return 1;
  if (type === 'date') return '2026-01-01';
  if (/^jsonb?$|\[\]$/.test(type)) return [];
  return words[name] ?? 'x';
}
