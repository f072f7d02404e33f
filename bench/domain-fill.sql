-- A large instance to measure in: 1,000 projects, 2,000 people, 1,000,000 tasks, put there in sets with the triggers off, and with the
-- rows the triggers would have written. Run as the owner of the tables on a database that holds nothing yet.
-- `set bench.scale = 0.1` before it for a tenth. Task number i of project n has the id md5(n || '/' || i).
--
-- Project 1 has 50,000 tasks, project 2 has 100,000 and five fields, project 3 has 5,000, project 4 has 200; the rest share what is left.

set synchronous_commit = off;
create temp table scale as select coalesce(nullif(current_setting('bench.scale', true), ''), '1')::numeric as factor;
create temp table person as
  select n, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid as id
  from generate_series(1, (select greatest(2000 * factor, 40)::int from scale)) n;
create temp table plan as
  select n, ('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid as id,
    case n when 1 then 50000 when 2 then 100000 when 3 then 5000 when 4 then 200
      else greatest((1000000 * factor - 155200) / (1000 * factor - 4), 10)::int end as tasks
  from scale, generate_series(1, (1000 * factor)::int) n;
create temp table word as
  select n, w from unnest(string_to_array(
    'plan draft review ship fix test build write measure design invoice login export import board search mobile backup report '
    || 'payment customer network policy window printer coffee garden bridge planet silver rocket harbour lantern compass meadow '
    || 'thunder velvet whisper canyon ember', ' ')) with ordinality as x (w, n);

alter table auth.users disable trigger user;
insert into auth.users (id, email, email_confirmed_at) select id, 'person' || n || '@bench.test', now() from person;
alter table auth.users enable trigger user;
insert into public.profiles (id, display_name) select id, 'Person ' || n from person on conflict do nothing;

alter table public.projects disable trigger user;
alter table public.workflow_columns disable trigger user;
alter table public.project_members disable trigger user;
alter table public.tasks disable trigger user;
alter table public.task_assignees disable trigger user;
alter table public.task_dependencies disable trigger user;

insert into public.projects (id, name, key, created_by) select id, 'Project ' || n, 'P' || n, (select id from person where person.n = 2) from plan;
insert into private.task_counters (project_id, last_number) select id, tasks from plan;
-- 20 members each; person 1 is in the first 20 projects
insert into public.project_members (project_id, user_id, role)
  select distinct on (plan.id, person.id) plan.id, person.id,
    (case when k = 0 then 'owner' when k < 15 then 'editor' else 'viewer' end)::public.project_role
  from plan, generate_series(0, 19) k
  join lateral (select 1) x on true
  join person on true
  where person.n = case when k = 0 and plan.n <= 20 then 1 else 2 + (plan.n * 37 + k * 101) % ((select count(*) from person)::int - 1) end
  order by plan.id, person.id, k;
insert into public.workflow_columns (id, project_id, name, kind, position)
  select ('00000000-0000-4000-a' || lpad(k::text, 3, '0') || '-' || lpad(plan.n::text, 12, '0'))::uuid, plan.id, c.name, c.kind::public.workflow_column_kind, k
  from plan, (values (1, 'Backlog', 'backlog'), (2, 'To do', 'todo'), (3, 'In progress', 'in_progress'), (4, 'Done', 'done')) as c (k, name, kind);
insert into private.column_kinds (project_id, column_id, kind, since) select project_id, id, kind, now() - interval '90 days' from public.workflow_columns;

insert into public.tasks (id, project_id, column_id, number, title, description, priority, order_rank, due_date, started_at, completed_at, created_by, created_at, updated_at)
  select
    md5(plan.n || '/' || i)::uuid, plan.id, ('00000000-0000-4000-a' || lpad(k::text, 3, '0') || '-' || lpad(plan.n::text, 12, '0'))::uuid, i,
    initcap(w1.w) || ' the ' || w2.w || ' ' || i, 'About ' || w2.w || ', ' || w3.w || ' and ' || w1.w || '. ' || repeat('Some more text to read. ', i % 10),
    (array['p0', 'p1', 'p2', 'p2'])[1 + i % 4]::public.task_priority,
    'd' || lpad(i::text, 4 + (i > 9999)::int + (i > 99999)::int, '0'),
    case when i % 3 = 0 then current_date + (i % 60 - 20) end,
    case when k >= 3 then now() - make_interval(days => 1 + i % 50) end,
    case when k = 4 then now() - make_interval(hours => i % 700) end,
    (select id from person where person.n = 2),
    now() - make_interval(days => 51 + i % 40), now()
  from plan
  cross join lateral generate_series(1, plan.tasks) i
  cross join lateral (select 1 + (i * 7 + plan.n) % 4 as k) column_of
  join word w1 on w1.n = 1 + (i * 13 + plan.n) % 40
  join word w2 on w2.n = 1 + (i * 29 + plan.n * 3) % 40
  join word w3 on w3.n = 1 + (i * 5 + plan.n * 7) % 40;

create temp table crew as
  select project_id, array_agg(user_id order by user_id) as members from public.project_members where role <> 'viewer' group by project_id;
insert into public.task_assignees (project_id, task_id, user_id)
  select t.project_id, t.id, crew.members[1 + t.number % cardinality(crew.members)]
  from public.tasks t join crew using (project_id)
  where t.number % 4 <> 0;
insert into public.task_dependencies (project_id, predecessor_id, successor_id)
  select a.project_id, a.id, b.id
  from public.tasks a join public.tasks b on b.project_id = a.project_id and b.number = a.number + 1
  where a.number % 5 = 0 and a.project_id in (select id from plan where n <= 4);
insert into private.column_flow (project_id, day, column_id, shard, delta)
  select c.project_id, current_date - d, c.id, s, (d * 7 + s) % 5 - 2
  from public.workflow_columns c, generate_series(0, 40) d, generate_series(0, 7) s
  where c.project_id in (select id from plan where n <= 4);
select private.recount_figures(array(select id from plan));
insert into private.task_search (task_id, project_id, document)
  select id, project_id, private.search_document(project_id, number, title, description, null) from public.tasks;

insert into public.custom_fields (id, project_id, name, kind, options)
  select ('00000000-0000-4000-b000-00000000000' || f)::uuid, plan.id, 'Field ' || f, (array['select', 'multi_select', 'number', 'checkbox', 'person'])[f]::public.custom_field_kind,
    case when f <= 2 then (select jsonb_agg(jsonb_build_object('id', 'o' || o, 'name', 'Option ' || o)) from generate_series(1, 8) o) else '[]' end
  from plan, generate_series(1, 5) f where plan.n = 2;
alter table public.task_field_values disable trigger user;
insert into public.task_field_values (project_id, task_id, field_id, value)
  select t.project_id, t.id, f.id, case f.kind
    when 'select' then to_jsonb('o' || 1 + t.number % 8)
    when 'multi_select' then jsonb_build_array('o' || 1 + t.number % 4, 'o' || 5 + t.number % 3)
    when 'number' then to_jsonb(t.number % 500)
    when 'checkbox' then to_jsonb(t.number % 3 = 0)
    else to_jsonb(crew.members[1 + t.number % cardinality(crew.members)]) end
  from public.tasks t join public.custom_fields f using (project_id) join crew using (project_id);
alter table public.task_field_values enable trigger user;

alter table public.projects enable trigger user;
alter table public.workflow_columns enable trigger user;
alter table public.project_members enable trigger user;
alter table public.tasks enable trigger user;
alter table public.task_assignees enable trigger user;
alter table public.task_dependencies enable trigger user;
analyze;
