// `whoami`: who asks, what their token allows, and their projects.

import { object, orNull, text } from '../../http/open-api.ts';
import { asData } from '../board.ts';
import { keyOfClaim, readOwnClaims, until } from '../claims.ts';
import { readProjects } from '../names.ts';
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
    const kind = profile?.is_service_account === true ? ', a service account' : '';
    const held = claims.map((one) => `${keyOfClaim(one)} until ${until(one)}: claim ${one.id}, fence ${one.fence}`);
    const markdown = asData(
      [
        `You act as ${name}${kind}. Your token allows: ${scope ?? 'all that they may do'}.`,
        lines.length === 0 ? 'No projects: ask an owner for an invitation.' : `Projects:\n${lines.join('\n')}`,
        ...(held.length === 0 ? [] : [`Your open claims:\n${held.join('\n')}`]),
      ].join('\n'),
    );
    return { structured: { id: board.me, scope, markdown }, text: markdown };
  },
});
