// Groups of procedures, by the words in their names; the first that fits.

export interface ProcedureGroup {
  readonly title: string;
  readonly description: string;
  readonly fits: RegExp;
}

export const procedureGroups: readonly ProcedureGroup[] = [
  {
    title: 'Keys and webhooks',
    description: 'Keys and service accounts for programs, and requests to other services.',
    fits: /api_key|program|service_account|webhook/,
  },
  {
    title: 'Templates and copies',
    description: 'Projects and tasks created from others.',
    fits: /template|duplicate|project_copy/,
  },
  {
    title: 'Access and links',
    description: 'Guests, invitations, public links, and who sees what.',
    fits: /invitation|guest|join_|share_link|access|reach_of/,
  },
  {
    title: 'People',
    description: 'Members, groups, roles.',
    fits: /member|group|person|people|leave_project|project_role|transfer|operator/,
  },
  {
    title: 'Agents',
    description: 'Make agents, hand over work, follow, stop and undo sessions.',
    fits: /agent|proposal|undo_session/,
  },
  {
    title: 'Account',
    description: 'Of the person who asks: sessions, exports, calendars, notifications.',
    fits: /my_|_my|session|push_|notification|calendar_feed|export|deleted_projects/,
  },
  {
    title: 'Figures and search',
    description: 'Counts, charts and full text.',
    fits: /search|metrics|progress|flow|field_columns|field_use/,
  },
  {
    title: 'Tasks',
    description: 'Create, move, split and read tasks.',
    fits: /task|claim|checklist|^(cover|parent|subtasks|creator|words)$/,
  },
  { title: 'Projects', description: 'Create and restore projects, read their changes.', fits: /project|changes/ },
  { title: 'Others', description: 'All that belong to no other group.', fits: /^/ },
];

export function groupOfProcedure(name: string): ProcedureGroup {
  const found = procedureGroups.find(({ fits }) => fits.test(name));
  if (found === undefined) throw new Error(`${name} has no group`);
  return found;
}
