// Programs for pictures: keys, a service account with a claimed task, and webhooks of which one has a receiver that answers.

import { createServer } from 'node:http';

export async function startReceiver() {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('{"received":true}'));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/kanbase`,
    settings: { WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8' },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Keys of Mara, one of them used; a service account, a claim of its and webhooks, in a project of which no published picture shows all. */
export async function addPrograms({ base, mara, id, quiet, receiver, kept }) {
  const asked = { scope: 'read', project_ids: [id], days: 90 };
  const report = kept(await mara.rpc('create_api_key', { ...asked, name: 'Weekly report' }));
  kept(await mara.rpc('create_api_key', { ...asked, name: 'Shop releases', scope: 'write', project_ids: null }));
  const call = (token, path, body) =>
    fetch(`${base}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await call(report.token, '/rest/v1/projects?select=id');
  const bot = kept(await mara.rpc('create_service_account', { name: 'Release bot', project_id: quiet }));
  const its = { service_account_id: bot.id, scope: 'write', project_ids: null };
  const build = kept(await mara.rpc('create_service_account_key', { ...its, name: 'Nightly build', days: 90 }));
  kept(await mara.rpc('create_service_account_client', { ...its, name: 'Release notes' }));
  const answer = await call(build.token, '/rest/v1/rpc/claim_next_task', { project: quiet, seconds: 3600 });
  const [{ task_id: claimed }] = await answer.json();
  const { session } = kept(await mara.auth.getSession());
  for (const [name, url, shape, events] of [
    ['Announcements', 'https://hooks.slack.com/services/T0/B0/x', 'slack', ['task.created', 'task.moved']],
    ['Warehouse', receiver.url, 'json', ['task.moved', 'comment.created', 'task.assigned']],
  ])
    await call(session.access_token, '/api/webhooks', { project_id: quiet, name, url, shape, events });
  await deliver(mara, claimed, kept);
  const [{ number }] = kept(await mara.from('tasks').select('number').eq('id', claimed));
  return { ':claimed': String(number) };
}

/** A change and a test are delivered; then the webhook has an address such as people have. */
async function deliver(mara, task_id, kept) {
  const [{ id }] = kept(await mara.from('webhooks').select('id').eq('name', 'Warehouse'));
  kept(await mara.rpc('test_webhook', { webhook_id: id }));
  kept(await mara.from('task_comments').insert({ task_id, body: 'The crates are here.' }));
  const isDone = async () => {
    const deliveries = kept(await mara.from('webhook_deliveries').select('state').eq('webhook_id', id));
    return deliveries.length > 1 && deliveries.every(({ state }) => state === 'delivered');
  };
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 200));
  kept(await mara.from('webhooks').update({ url: 'https://warehouse.example.com/kanbase' }).eq('id', id));
}
