-- Cost of policies: the same statements by the owner of the tables, whom policies do not bind, and by person 1 as
-- `authenticated`, in turns; the best round counts for each. Triggers fire for both. One row per measure, in microseconds.

create function pg_temp.time_both(measure text, statement text, times integer, undo boolean)
returns table (name text, without_policies numeric, with_policies numeric)
language plpgsql as $$
declare
  best float8[] := array['Infinity', 'Infinity'];
  spent float8;
  started timestamptz;
  n integer;
begin
  for round in 1..8 loop
    for side in 1..2 loop
      perform set_config('role', case side when 1 then 'none' else 'authenticated' end, true);
      spent := 0;
      for i in 1..times loop
        n := 1 + (i * 7919 + round * 104729) % 4999;
        begin
          started := clock_timestamp();
          execute statement using n;
          spent := spent + extract(epoch from clock_timestamp() - started);
          if undo then
            raise exception 'undone' using errcode = 'ZZ000';
          end if;
        exception when sqlstate 'ZZ000' then
          null;
        end;
      end loop;
      best[side] := least(best[side], spent / times);
    end loop;
  end loop;
  perform set_config('role', 'none', true);
  return query select measure, round((best[1] * 1e6)::numeric, 1), round((best[2] * 1e6)::numeric, 1);
end
$$;

select set_config('request.jwt.claims', '{"sub":"00000000-0000-4000-8000-000000000001","role":"authenticated"}', false);

create temp table figures as
select * from pg_temp.time_both('read one task',
  $q$ select to_jsonb(t) from public.tasks t where t.id = md5('1/' || $1)::uuid $q$, 400, false)
union all
select * from pg_temp.time_both('a board of 200 tasks',
  $q$ select json_agg(t) from (select * from public.tasks where project_id = '00000000-0000-4000-9000-000000000004' order by order_rank) t where $1 > 0 $q$, 40, false)
union all
select * from pg_temp.time_both('a board of 5,000 tasks',
  $q$ select json_agg(t) from (select * from public.tasks where project_id = '00000000-0000-4000-9000-000000000003' order by order_rank) t where $1 > 0 $q$, 4, false)
union all
select * from pg_temp.time_both('insert a task',
  $q$ insert into public.tasks (project_id, title) select '00000000-0000-4000-9000-000000000005', 'Task ' || $1 returning id $q$, 60, true)
union all
select * from pg_temp.time_both('change a title',
  $q$ update public.tasks set title = 'Task ' || $1 where id = md5('1/' || $1)::uuid $q$, 60, true)
union all
select * from pg_temp.time_both('move a task',
  $q$ select public.move_task(md5('1/' || $1)::uuid, '00000000-0000-4000-a002-000000000001') $q$, 60, true)
union all
select * from pg_temp.time_both('delete a task',
  $q$ delete from public.tasks where id = md5('1/' || $1)::uuid $q$, 40, true)
union all
select * from pg_temp.time_both('dashboard of 50,000 tasks',
  $q$ select public.dashboard_metrics('00000000-0000-4000-9000-000000000001') where $1 > 0 $q$, 4, false)
union all
select * from pg_temp.time_both('dashboard of 100,000 tasks and five fields',
  $q$ select public.dashboard_metrics('00000000-0000-4000-9000-000000000002') where $1 > 0 $q$, 2, false);

-- search asks for the caller's projects: it has no side without policies
insert into figures
select f.name, null, f.with_policies from (
  select * from pg_temp.time_both('search 100,000 tasks: a rare word',
    $q$ select count(*) from public.search_tasks('velvet 4711', '00000000-0000-4000-9000-000000000002') where $1 > 0 $q$, 10, false)
  union all
  select * from pg_temp.time_both('search 100,000 tasks: a beginning',
    $q$ select count(*) from public.search_tasks('inv', '00000000-0000-4000-9000-000000000002') where $1 > 0 $q$, 10, false)
  union all
  select * from pg_temp.time_both('search 100,000 tasks: two words',
    $q$ select count(*) from public.search_tasks('velvet gar', '00000000-0000-4000-9000-000000000002') where $1 > 0 $q$, 10, false)
  union all
  select * from pg_temp.time_both('search 100,000 tasks: a word in every task',
    $q$ select count(*) from public.search_tasks('the', '00000000-0000-4000-9000-000000000002') where $1 > 0 $q$, 5, false)
  union all
  select * from pg_temp.time_both('search 100,000 tasks: by reference',
    $q$ select count(*) from public.search_tasks('P2-' || $1, '00000000-0000-4000-9000-000000000002') $q$, 10, false)
) as f;

select * from figures;
