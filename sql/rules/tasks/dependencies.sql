-- Dependencies between tasks of a project: the successor waits for its predecessor. They never close a circle (KB002).

select private.project_rows('public.task_dependencies', writes => '{id, project_id, predecessor_id, successor_id, type, lag_days}',
  fixed => '{id, project_id, predecessor_id, successor_id}');
comment on table public.task_dependencies is 'Which task waits for which. A circle is refused (KB002); deleting a task frees its successors.';
comment on column public.task_dependencies.project_id is 'The project; filled from the successor when left out.';
comment on column public.task_dependencies.predecessor_id is 'What has to be done first.';
comment on column public.task_dependencies.successor_id is 'What waits.';
comment on column public.task_dependencies.type is 'FS: finish to start.';
comment on column public.task_dependencies.lag_days is 'Days between the two; negative for an overlap. For planning; not enforced.';

create or replace trigger task_dependencies_fill_project before insert on public.task_dependencies for each row
  when (new.project_id is null) execute function private.fill_project_of_dependency();
create or replace trigger task_dependencies_record after insert or delete on public.task_dependencies for each row
  execute function private.record_dependency();
create or replace trigger task_dependencies_record_change after update on public.task_dependencies for each row
  when (old.lag_days <> new.lag_days) execute function private.record_dependency();
create or replace trigger task_dependencies_refuse_cycle after insert or update of predecessor_id, successor_id, project_id
  on public.task_dependencies for each row execute function private.refuse_cycle();
create or replace trigger task_dependencies_count_gone after delete on public.task_dependencies
  referencing old table as changed for each statement execute function private.count_dependencies();
create or replace trigger task_dependencies_count_new after insert on public.task_dependencies referencing new table as changed for each statement
  execute function private.count_dependencies();

create or replace function private.fill_project_of_dependency() returns trigger
language plpgsql set search_path = '' as $$
begin
  select t.project_id into new.project_id from public.tasks t where t.id = new.successor_id;
  if new.project_id is null then
    perform private.refuse('42501', 'new row violates row-level security policy for table "task_dependencies"',
      'There is no task with this successor_id, or you may not write in its project.');
  end if;
  return new;
end
$$;

-- Runs after the row is written, so that the policy refuses a foreign project first. A project's dependencies are written by one transaction at a
-- time: of two that would close a circle together, the second sees the first.
create or replace function private.refuse_cycle() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  closed boolean;
begin
  perform pg_advisory_xact_lock(hashtextextended(new.project_id::text, 3082));
  with recursive downstream (task_id) as (
    select new.successor_id
    union
    select d.successor_id
    from downstream
    join public.task_dependencies d on d.project_id = new.project_id and d.predecessor_id = downstream.task_id
  )
  select exists (select from downstream where task_id = new.predecessor_id) into closed;
  if closed then
    perform private.refuse('KB002', 'this dependency would close a circle',
      'Remove one of the dependencies between them first.', 'The predecessor already waits, directly or through others, for the successor.');
  end if;
  return null;
end
$$;
