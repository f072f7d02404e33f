// Known keys of Vikunja's data: first those that are imported, then those left out on purpose. Left out are ids and positions, times of the
// last change, colors of projects, watchers, settings of accounts, and views except for their buckets. All other keys are kept as words.

import { type Known, known } from './leftovers.ts';

const person = known('id username name email created updated settings');
const label = known('id title hex_color created updated', { created_by: person });

export const keys = {
  project: known(
    `title description is_archived tasks buckets task_buckets positions views
     id identifier hex_color parent_project_id parent_project child_projects owner owner_id position created updated background_file_id background_information
     background_blur_hash is_favorite subscription max_permission max_right default_bucket_id done_bucket_id`,
  ),
  bucket: known('title id project_id project_view_id position tasks created updated created_by count'),
  task: known(
    `title description done done_at due_date start_date end_date priority repeat_after repeat_mode percent_done hex_color is_favorite identifier comments
     id index project_id bucket_id position created updated uid is_unread cover_image_attachment_id subscription comment_count buckets`,
    {
      created_by: person,
      assignees: person,
      labels: label,
      // Each stands in the file as a task of its own.
      related_tasks: known(
        'subtask parenttask related duplicateof duplicates blocking blocked precedes follows copiedfrom copiedto',
      ),
      reminders: known('reminder'),
      attachments: known('id task_id created', {
        created_by: person,
        file: known('id name mime size created'),
      }),
    },
  ),
  comment: known('id comment created updated', { author: person }),
} satisfies Readonly<Record<string, Known>>;
