-- An instance of any size to measure in: as many people as `bench.people`, projects of as many tasks as `bench.sizes` lists. Run by a
-- superuser with session_replication_role = replica: rows are put there in sets, with what the triggers would have written, and no key is
-- asked for. Task number i of project n has the id md5(n || '/' || i). The tasks themselves come in batches: fill-tasks.sql.

create temp table fill_people as
  select n, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid as id
  from generate_series(1, current_setting('bench.people')::int) n;
create temp table fill_projects as
  select n::int, ('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid as id, tasks::int
  from unnest(string_to_array(current_setting('bench.sizes'), ',')) with ordinality as x (tasks, n);
create temp table fill_words as
  select n, w from unnest(string_to_array(
    'plan draft review ship fix test build write measure design invoice login export import board search mobile backup report '
    || 'payment customer network policy window printer coffee garden bridge planet silver rocket harbour lantern compass meadow '
    || 'thunder velvet whisper canyon ember', ' ')) with ordinality as x (w, n);

insert into auth.users (id, email, email_confirmed_at) select id, 'person' || n || '@bench.test', now() from fill_people;
insert into public.profiles (id, display_name) select id, 'Person ' || n from fill_people;
insert into public.projects (id, name, key, created_by)
  select id, 'Project ' || n, 'P' || n, ('00000000-0000-4000-8000-' || lpad('2', 12, '0'))::uuid from fill_projects;
insert into private.task_counters (project_id, last_number) select id, tasks from fill_projects;
insert into public.workflow_columns (id, project_id, name, kind, position)
  select ('00000000-0000-4000-a' || lpad(k::text, 3, '0') || '-' || lpad(p.n::text, 12, '0'))::uuid, p.id, c.name, c.kind::public.workflow_column_kind, k
  from fill_projects p, (values (1, 'Backlog', 'backlog'), (2, 'To do', 'todo'), (3, 'In progress', 'in_progress'), (4, 'Done', 'done')) as c (k, name, kind);
insert into private.column_kinds (project_id, column_id, kind, since) select project_id, id, kind, now() - interval '90 days' from public.workflow_columns;

-- Person 1 is in the first `bench.measured` projects; ten others are in each. Persons 3 to 6 are in one project, ten, a
-- hundred, a thousand, from the sixth on. Projects seven to ten have ten people more, a hundred, a thousand, ten thousand.
insert into public.project_members (project_id, user_id, role)
  select distinct on (project_id, user_id) project_id, user_id, role::public.project_role
  from (
    select p.id as project_id, person.id as user_id, 'owner' as role
    from fill_projects p join fill_people person on person.n = case when p.n <= current_setting('bench.measured')::int then 1 else 2 end
    union all
    select p.id, person.id, 'editor'
    from fill_projects p, generate_series(1, 10) k
    join fill_people person on true
    where person.n = 7 + (p.n * 37 + k * 101) % greatest((select count(*) from fill_people)::int - 7, 1)
    union all
    select p.id, person.id, 'editor'
    from fill_projects p join fill_people person on person.n between 3 and 6 and p.n > 5 and p.n <= 5 + 10 ^ (person.n - 3)
    union all
    select p.id, person.id, 'editor'
    from fill_projects p join fill_people person on p.n between 7 and 10 and person.n > 7 and person.n <= 7 + 10 ^ (p.n - 6)
  ) as everybody
  order by project_id, user_id, role;

-- Person 1 has dealt with ten entries, person 2 with ten thousand; both have twenty left.
insert into public.notifications (user_id, kind, project_id, actor_id, data, read_at, done_at, created_at)
  select person.id, 'commented', p.id, '00000000-0000-4000-8000-000000000007', '{"task_title": "A task", "excerpt": "Some words of a comment"}', now(), case when i > 20 then now() end,
    now() - make_interval(mins => 30020 - i)
  from fill_people person
  cross join lateral generate_series(1, case person.n when 1 then 30 else 10020 end) i
  join fill_projects p on p.n = case person.n when 1 then 1 else 6 end
  where person.n <= 2;
insert into private.column_flow (project_id, day, column_id, shard, delta)
  select c.project_id, current_date - d, c.id, 1, d % 5 - 2 from public.workflow_columns c, generate_series(0, 29) d;
drop index private.task_search_document_idx;
