// An agent at work for pictures: in a project of its own, with a task that is handed over to it, what it says of it and what it asks.

const plan = [
  { title: 'Read last year’s programme', state: 'complete' },
  { title: 'Ask the three bands', state: 'active' },
  { title: 'Draft the running order', state: 'pending' },
];

/** `door`: of who owns it; `keyed` opens one with a key. Answers what `:agents` stands for. */
export async function putAgentToWork({ door, keyed, kept }) {
  const { id } = kept(await door.rpc('create_project_with_defaults', { name: 'Harbour festival' }));
  const [column] = kept(
    await door.from('workflow_columns').select('id').eq('project_id', id).eq('kind', 'in_progress'),
  );
  const tasks = kept(
    await door
      .from('tasks')
      .insert(
        ['Plan the music', 'Rent the stage', 'Print the posters'].map((title) => ({
          ...{ project_id: id, column_id: column.id, title },
        })),
      )
      .select('id, title'),
  );
  const music = tasks.find(({ title }) => title === 'Plan the music');
  const agent = kept(
    await door.rpc('create_agent', { name: 'Planner', project_id: id, mode: 'write', about: 'Plans what comes next.' }),
  );
  const { token } = kept(
    await door.rpc('create_service_account_key', { service_account_id: agent.id, name: 'Planner', scope: 'write' }),
  );
  const its = keyed(token);
  const handedOver = { task_id: music.id, agent_id: agent.id, prompt: 'Three bands, one stage, done by ten.' };
  const { id: session_id } = kept(await door.rpc('delegate_to_agent', handedOver));
  for (const [kind, body] of [
    ['thought', 'Last year the quiet band played first, and the quay was empty.'],
    ['action', 'Read the programme of last year.'],
    ['elicitation', 'May the last band play until half past ten?'],
  ])
    kept(await its.rpc('add_agent_activity', { session_id, kind, body }));
  const links = [{ title: 'Draft programme', url: 'https://docs.example.com/programme' }];
  kept(await its.rpc('report_agent_session', { session_id, plan, links, cost: 0.4 }));
  return { ':agents': id };
}
