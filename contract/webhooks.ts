// Types of events that a webhook may be told of, in the order in which they are offered, and the shapes it may be told in.

export const webhookEvents = [
  'task.created',
  'task.updated',
  'task.moved',
  'task.assigned',
  'task.unassigned',
  'task.labeled',
  'task.unlabeled',
  'task.archived',
  'task.restored',
  'task.deleted',
  'task.moved_in',
  'task.moved_out',
  'comment.created',
  'comment.updated',
  'comment.deleted',
  'checklist_item.created',
  'checklist_item.updated',
  'checklist_item.deleted',
  'attachment.created',
  'attachment.updated',
  'attachment.deleted',
  'dependency.created',
  'dependency.updated',
  'dependency.deleted',
  'column.created',
  'column.updated',
  'column.deleted',
  'label.created',
  'label.updated',
  'label.deleted',
  'member.created',
  'member.updated',
  'member.deleted',
  'project.updated',
  'project.deleted',
  'project.restored',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

export const webhookShapes = ['json', 'slack', 'mattermost', 'discord', 'matrix', 'teams'] as const;
export type WebhookShape = (typeof webhookShapes)[number];
