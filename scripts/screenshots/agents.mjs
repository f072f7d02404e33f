// Agents at work for pictures: one in a project of its own, with a task that is handed over to it and a question; and one that plans a release of the
// sample project, in a session that has ended and one whose proposals wait.

import { randomUUID } from 'node:crypto';

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

const releasePlan = [
  'Read what the team’s beta found',
  'List what has to be done first',
  'Write down what customers try',
  'Draft the invitation',
].map((title) => ({ title, state: 'complete' }));

const storeTexts = `English, German and Portuguese.

The first line is what people see: say what the app does.`;

/** `mara` owns the sample project of the app, `tomas` works in it. Answers what `:release`, `:planned` and `:proposed` stand for. */
export async function planRelease({ mara, tomas, keyed, kept }) {
  const [{ id: project_id }] = kept(await mara.from('projects').select('id').eq('key', 'APP'));
  const tasks = kept(await mara.from('tasks').select('id, number, title').eq('project_id', project_id));
  const taskNamed = (title) => tasks.find((task) => task.title === title);
  const about = 'Plans releases: what comes first, who is asked, what is written.';
  const agent = kept(await mara.rpc('create_agent', { name: 'Release planner', project_id, mode: 'write', about }));
  const { token } = kept(
    await mara.rpc('create_service_account_key', {
      service_account_id: agent.id,
      name: 'Release planner',
      scope: 'write',
    }),
  );
  const handOver = async (door, task, prompt) => {
    const asked = { task_id: task.id, agent_id: agent.id, prompt };
    const { id } = kept(await door.rpc('delegate_to_agent', asked));
    const say = async (kind, body) =>
      kept(await (kind === 'prompt' ? door : keyed(token)).rpc('add_agent_activity', { session_id: id, kind, body }));
    const report = async (told) => kept(await keyed(token).rpc('report_agent_session', { session_id: id, ...told }));
    return { id, say, report, within: keyed(token, { 'agent-session': id }) };
  };

  const beta = taskNamed('Beta for twenty customers');
  const planned = await handOver(
    mara,
    beta,
    'Plan the beta: what has to be done first, who is invited, what they try.',
  );
  await planned.say('thought', 'Batteries ran down in the team’s beta: that is measured first.');
  await planned.say('action', 'Read the comments and crash reports of the team’s beta.');
  await planned.say('elicitation', 'Twenty customers at once, or ten first and ten a week later?');
  await planned.say('prompt', 'Ten first.');
  const write = async (table, row) => kept(await planned.within.from(table).insert(row).select());
  const first = taskNamed('Battery use over a day');
  await write('task_dependencies', { project_id, predecessor_id: first.id, successor_id: beta.id });
  const description =
    'Ten customers first, ten more a week later.\n\n- Move a card without a network\n- Attach a photograph';
  kept(await planned.within.from('tasks').update({ description, priority: 'p1' }).eq('id', beta.id));
  const [letter] = await write('tasks', { project_id, title: 'Write the invitation', parent_id: beta.id });
  for (const title of ['Choose the first ten customers', 'Send them the build', 'Ask what was missing'])
    await write('task_checklist_items', { project_id, task_id: beta.id, title });
  await write('task_comments', {
    task_id: beta.id,
    body: 'The second ten begin once nothing new has crashed for a week.',
  });
  await planned.say('response', 'The beta is planned. The invitation is a draft: nothing has been sent.');
  await planned.report({ plan: releasePlan, cost: 0.6, state: 'complete' });
  kept(await tomas.from('task_comments').insert({ task_id: letter.id, body: 'Please name the day the beta ends.' }));
  kept(
    await tomas
      .from('tasks')
      .update({ description: `${description}\n- Sort the list` })
      .eq('id', beta.id),
  );

  kept(await mara.from('agents').update({ mode: 'propose' }).eq('id', agent.id));
  const texts = taskNamed('Store texts in three languages');
  kept(
    await mara
      .from('tasks')
      .update({ description: storeTexts, due_date: daysAhead(12) })
      .eq('id', texts.id),
  );
  const proposed = await handOver(tomas, texts, 'Get these ready for the release. Short, please.');
  await proposed.say('action', 'Read the rules of both stores.');
  const shorter = storeTexts.replace('.', ', 80 characters at most.').replace('does', 'does offline');
  const changed = { description: shorter, due_date: daysAhead(9) };
  kept(await proposed.within.from('tasks').update(changed).eq('id', texts.id));
  const proofs = ['German', 'Portuguese'].map((language) => ({
    ...{ id: randomUUID(), project_id, title: `Proofread the ${language} text`, due_date: daysAhead(8) },
  }));
  const links = proofs.map(({ id }) => ({ project_id, predecessor_id: id, successor_id: texts.id }));
  const changes = [
    { change: 'insert', table: 'tasks', rows: proofs },
    { change: 'insert', table: 'task_dependencies', rows: links },
  ];
  kept(await proposed.within.rpc('apply_changes', { changes }));
  await proposed.say('response', 'An earlier date, a limit for the texts, and somebody who proofreads them.');
  return { ':release': project_id, ':planned': planned.id, ':proposed': String(texts.number) };
}

const daysAhead = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
