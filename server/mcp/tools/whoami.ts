// `whoami`: who asks, what their token allows, and their projects.

import { object, orNull, text } from '../../http/open-api.ts';
import { asData } from '../board.ts';
import { keyOfClaim, readOwnClaims, until } from '../claims.ts';
import { noProjects, readProjects } from '../names.ts';
import { plainLine } from '../plain-text.ts';
import { declareTool } from '../tool.ts';

export const whoami = declareTool({
  name: 'whoami',
  title: 'Who am I',
  description: 'Your name, role, projects and open claims. Start here.',
  scope: 'read',
  hints: { readOnly: true, idempotent: true },
  input: object({}),
  output: object({ id: text(), scope: orNull(text()), markdown: text() }),
  async run(_args, { board }) {
    const [[profile], projects, roles, claims] = await Promise.all([
      board.read<readonly { display_name: string | null; is_service_account: boolean }[]>('profiles', [
        ['select', 'display_name,is_service_account'],
        ['id', `eq.${board.me}`],
      ]),
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
    const kind = profile?.is_service_account === true ? 'service account' : 'person';
    const held = claims.map((one) => `${keyOfClaim(one)} until ${until(one)}: claim ${one.id}, fence ${one.fence}`);
    const markdown = [
      `You act as a ${kind}. Scope: ${scope ?? 'not limited by the token'}.`,
      ...(held.length === 0 ? [] : [`Open claims:\n${held.join('\n')}`]),
      ...(lines.length === 0 ? [noProjects] : []),
      asData([`Name: ${name}`, ...(lines.length === 0 ? [] : [`Projects:\n${lines.join('\n')}`])].join('\n')),
    ].join('\n');
    return { structured: { id: board.me, scope, markdown }, text: markdown };
  },
});
