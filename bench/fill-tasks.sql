-- The tasks of the projects from `bench.from` to `bench.to`, with who works on them, who watches, their stories and their words. Beside fill.sql.

insert into public.tasks (id, project_id, column_id, number, title, description, priority, order_rank, due_date, started_at, completed_at, created_by, created_at, updated_at)
  select
    md5(p.n || '/' || i)::uuid, p.id, ('00000000-0000-4000-a' || lpad(k::text, 3, '0') || '-' || lpad(p.n::text, 12, '0'))::uuid, i,
    initcap(w1.w) || ' the ' || w2.w || ' no' || lpad(i::text, 6, '0'), 'About ' || w2.w || ', ' || w3.w || ' and ' || w1.w || '.',
    (array['p0', 'p1', 'p2', 'p2'])[1 + i % 4]::public.task_priority,
    'd' || lpad(i::text, 4 + (i > 9999)::int + (i > 99999)::int, '0'),
    case when i % 3 = 0 then current_date + (i % 60 - 20) end,
    case when k >= 3 then now() - make_interval(days => 1 + i % 50) end,
    case when k = 4 then now() - make_interval(hours => i % 700) end,
    '00000000-0000-4000-8000-000000000002', now() - make_interval(days => 51 + i % 40), now()
  from fill_projects p
  cross join lateral generate_series(1, p.tasks) i
  cross join lateral (select 1 + (i * 7 + p.n) % 4 as k) column_of
  join fill_words w1 on w1.n = 1 + (i * 13 + p.n) % 40
  join fill_words w2 on w2.n = 1 + (i * 29 + p.n * 3) % 40
  join fill_words w3 on w3.n = 1 + (i * 5 + p.n * 7) % 40
  where p.n between current_setting('bench.from')::int and current_setting('bench.to')::int;
create temp table arrived on commit drop as
  select t.* from public.tasks t join fill_projects p on p.id = t.project_id
  where p.n between current_setting('bench.from')::int and current_setting('bench.to')::int;
insert into public.task_assignees (project_id, task_id, user_id)
  select t.project_id, t.id, crew.members[1 + t.number % cardinality(crew.members)]
  from arrived t
  join (select project_id, array_agg(user_id order by user_id) as members from public.project_members group by project_id) as crew using (project_id)
  where t.number % 4 <> 0;
insert into public.task_watchers (project_id, task_id, user_id, reason) select project_id, id, created_by, 'creator' from arrived;
insert into public.task_activity (project_id, task_id, actor_id, kind, change, created_at)
  select project_id, id, created_by, 'created', jsonb_build_object('title', title, 'number', number, 'column_id', column_id), created_at from arrived;
insert into private.task_search (task_id, project_id, document)
  select id, project_id, private.search_document(project_id, number, title, description, null) from arrived;
select private.recount_figures(array(select distinct project_id from arrived));
