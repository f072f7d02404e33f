// Templates that the sample team shares: the whole project, and one task of it with all that is below it.

import type { ApiClient } from './api-client.ts';

export async function keepTemplates(owner: ApiClient, project_id: string, taskIds: readonly string[]): Promise<void> {
  await owner.post('/rest/v1/rpc/save_project_as_template', {
    project_id,
    name: 'Relaunch of a site',
    description: 'From what visitors ask for to the day it is live.',
    is_shared: true,
  });
  await owner.post('/rest/v1/rpc/save_task_as_template', {
    task_id: taskIds[25],
    name: 'Test with people',
    description: 'Once for each way people come in.',
    is_shared: true,
  });
}
