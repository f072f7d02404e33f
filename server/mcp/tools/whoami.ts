// `whoami`: who asks, what their token allows, their projects, and the session they work in, which it also takes up or leaves.

import { object, orNull, text } from '../../http/open-api.ts';
import { asData, type Board } from '../board.ts';
import { keyOfClaim, readOwnClaims, until } from '../claims.ts';
import { readInbox, sayWork, writeInboxSession } from '../inbox.ts';
import { noProjects, readProjects } from '../names.ts';
import { plainLine } from '../plain-text.ts';
import { declareTool } from '../tool.ts';

export const whoami = declareTool({
  name: 'whoami',
  title: 'Who am I',
  description: 'Your name, role, projects, open claims, session and, for agents, waiting work. Start here.',
  scope: 'read',
  // Taking up a session changes nothing of the board, and leaving one ends it.
  hints: { idempotent: true },
  input: object({ 'session?': text('Take up this session of your inbox; "new" leaves yours') }),
  output: object({ id: text(), scope: orNull(text()), markdown: text() }),
  async run({ session: named }, { board }) {
    if (named !== undefined) await board.takeUp(named === 'new' ? null : named);
    const [[profile], projects, roles, claims] = await Promise.all([
      board.read<readonly { display_name: string | null; is_service_account: boolean; is_agent: boolean }[]>(
        'profiles',
        [
          ['select', 'display_name,is_service_account,is_agent'],
          ['id', `eq.${board.me}`],
        ],
      ),
      readProjects(board),
      board.read<readonly { project_id: string; role: string }[]>('project_members', [
        ['select', 'project_id,role'],
        ['user_id', `eq.${board.me}`],
        ['limit', '500'],
      ]),
      readOwnClaims(board),
    ]);
    const scope = board.claims.scope ?? null;
    const name = plainLine(profile?.display_name ?? 'Someone', 60);
    const role = new Map(roles.map((row) => [row.project_id, row.role]));
    const lines = projects.map(
      ({ id, key, name: called }) => `${key} ${plainLine(called, 60)} (${role.get(id) ?? 'by a group'})`,
    );
    const agent = profile?.is_agent === true;
    const kind = agent ? 'agent' : profile?.is_service_account === true ? 'service account' : 'person';
    const held = claims.map((one) => `${keyOfClaim(one)} until ${until(one)}: claim ${one.id}, fence ${one.fence}`);
    const markdown = [
      `You act as ${agent ? 'an' : 'a'} ${kind}. Scope: ${scope ?? 'not limited by the token'}.`,
      ...(await sayWaiting(board, agent)),
      ...(held.length === 0 ? [] : [`Open claims:\n${held.join('\n')}`]),
      ...(lines.length === 0 ? [noProjects] : []),
      asData([`Name: ${name}`, ...(lines.length === 0 ? [] : [`Projects:\n${lines.join('\n')}`])].join('\n')),
    ].join('\n');
    return { structured: { id: board.me, scope, markdown }, text: markdown };
  },
});

/** The session that the client works in, with its task where nothing was done yet; and for agents those that wait. */
async function sayWaiting(board: Board, agent: boolean): Promise<readonly string[]> {
  const own = await board.session();
  const waiting = agent ? (await readInbox(board)).sessions : [];
  const mine = waiting.find(({ id }) => id === own?.id);
  const others = waiting.filter(({ id }) => id !== own?.id).slice(0, 20);
  return [
    ...(own === null
      ? []
      : [mine === undefined ? `You work in ${sayWork(own)}.` : await writeInboxSession(board, mine)]),
    ...(others.length === 0
      ? []
      : [
          `Work waits for you. Call whoami with the session you take up:\n${others.map((one) => `- ${sayWork(one)}`).join('\n')}`,
          asData(others.map(({ id, title }) => `${id}: ${plainLine(title, 100)}`).join('\n')),
        ]),
  ];
}
