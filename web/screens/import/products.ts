// The products, by the names they give themselves; and the fields that a column may hold.

import { figures } from '../../../contract/views.ts';
import { t } from '../../strings/messages.ts';

export const exported = [
  'kanbase',
  'trello',
  'jira',
  'linear',
  'asana',
  'todoist',
  'github',
  'gitlab',
  'plane',
  'vikunja',
  'planka',
  'wekan',
  'ticktick',
  'csv',
] as const;

const names: Readonly<Record<string, string>> = {
  kanbase: 'Kanbase',
  trello: 'Trello',
  jira: 'Jira',
  linear: 'Linear',
  asana: 'Asana',
  todoist: 'Todoist',
  github: 'GitHub',
  gitlab: 'GitLab',
  plane: 'Plane',
  vikunja: 'Vikunja',
  planka: 'Planka',
  wekan: 'WeKan',
  ticktick: 'TickTick',
};

export const productName = (product: string): string => names[product] ?? t('import.table');

export const fields = [
  'title',
  'description',
  'state',
  'done',
  'priority',
  'labels',
  'assignees',
  'start',
  'due',
  ...figures,
  'parent',
  'waits_for',
  'comment',
  'checklist',
  'attachments',
  'created',
  'completed',
  'id',
  'alias',
  'keep',
  'leave_out',
] as const;
