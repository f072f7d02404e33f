-- Recurring tasks: one rule a task (RFC 5545, in days), which moves on to the task made last. Rules are checked and planned anew here, read by
-- the server (server/background/recurrence), and carried out in next-task.sql. A task that is done wakes the server through wake_recurrences
-- (tasks/tasks.sql).

select private.project_rows('public.task_recurrences',
  writes => '{id, project_id, task_id, rule, time_zone, mode, starts_on, lead_days, column_id, copies, paused_at, next_on, next_at, is_over, made, revision, created_by}',
  fixed => '{id, project_id, task_id, created_by}', author => 'created_by');
comment on table public.task_recurrences is 'Tasks that come again: one rule a task, which the task made last has. The server makes the next one, with its due date by the rule.';
comment on column public.task_recurrences.id is 'Made by the server unless the client sends its own. The same for the whole series.';
comment on column public.task_recurrences.project_id is 'The project; filled from the task when left out.';
comment on column public.task_recurrences.task_id is 'The task that comes again: the last one of the series.';
comment on column public.task_recurrences.rule is 'RFC 5545, in days: FREQ=DAILY, WEEKLY, MONTHLY or YEARLY with INTERVAL, COUNT (tasks of the series, this one too), UNTIL, BYDAY, BYMONTHDAY, BYMONTH, BYSETPOS, WKST. Anything else is refused (KB014).';
comment on column public.task_recurrences.time_zone is 'Where its days begin, as Europe/Berlin.';
comment on column public.task_recurrences.mode is 'calendar: on the days of the rule; after_completion: when the task is done, with the first day of the rule counted from then.';
comment on column public.task_recurrences.starts_on is 'The day the rule is counted from. Left out: the due date of the task, its start date, or today.';
comment on column public.task_recurrences.lead_days is 'How many days before its due date the next task appears; at the latest on its start date.';
comment on column public.task_recurrences.column_id is 'Where the next task appears; empty: in the first column that is not done.';
comment on column public.task_recurrences.copies is 'What the next task has of the one before, beside title, description, priority and estimate: checklist (nothing ticked), labels, assignees, fields, subtasks, attachments.';
comment on column public.task_recurrences.paused_at is 'Since when nothing is made; empty: it is not paused. Days that pass meanwhile are passed over.';
comment on column public.task_recurrences.next_on is 'The due date of the next task; kept by the server.';
comment on column public.task_recurrences.next_at is 'When it appears; kept by the server. Empty after completion, and when there is none.';
comment on column public.task_recurrences.is_over is 'Whether no more come; kept by the server.';
comment on column public.task_recurrences.made is 'How many tasks this rule has made; kept by the server.';
comment on column public.task_recurrences.revision is 'Which planning holds; kept by the server.';
comment on column public.task_recurrences.created_by is 'Who set it, and makes its tasks.';

-- Named to fire first: the others need the project.
create or replace trigger task_recurrences_a_project before insert on public.task_recurrences for each row
  when (new.project_id is null) execute function private.fill_project();
create or replace trigger task_recurrences_plan before insert or update on public.task_recurrences for each row
  execute function private.plan_recurrence();
create or replace trigger task_recurrences_record after insert or update or delete on public.task_recurrences for each row
  execute function private.record_recurrence();
create or replace trigger task_recurrences_tell after insert or update on public.task_recurrences for each row
  when (new.next_at is null and not new.is_over and new.paused_at is null) execute function private.tell_of_recurrences();

create or replace function private.is_day(digits text) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  perform make_date(left(digits, 4)::integer, substr(digits, 5, 2)::integer, substr(digits, 7, 2)::integer);
  return true;
exception when others then
  return false;
end
$$;
grant execute on function private.is_day(text) to authenticated, service_role;

-- The rule in upper case, without blanks, its parts checked; a problem is reported in a sentence.
create or replace function private.read_recurrence_rule(rule text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  clean constant text := regexp_replace(upper(regexp_replace(coalesce(rule, ''), '\s', '', 'g')), '^RRULE:|;$', '', 'g');
  freq constant text := substring(clean from '(?:^|;)FREQ=([A-Z]+)');
  part text;
  name text;
  value text;
  names text[] := '{}';
  fits boolean;
  problem text;
begin
  if char_length(clean) > 300 then
    problem := 'it is longer than 300 signs';
  elsif freq is null or freq <> all (array['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']) then
    problem := 'FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY';
  end if;
  foreach part in array string_to_array(clean, ';') loop
    exit when problem is not null;
    name := split_part(part, '=', 1);
    value := substr(part, char_length(name) + 2);
    if name = any (names) then
      problem := format('%s is said twice', name);
      exit;
    end if;
    names := names || name;
    fits := case name
      when 'FREQ' then true
      when 'INTERVAL' then value ~ '^[1-9]\d{0,2}$'
      when 'COUNT' then value ~ '^[1-9]\d{0,2}$'
      when 'UNTIL' then value ~ '^\d{8}(T\d{6}Z?)?$' and private.is_day(left(value, 8))
      when 'BYDAY' then value ~ case when freq in ('MONTHLY', 'YEARLY')
        then '^([+-]?[1-5])?(MO|TU|WE|TH|FR|SA|SU)(,([+-]?[1-5])?(MO|TU|WE|TH|FR|SA|SU))*$'
        else '^(MO|TU|WE|TH|FR|SA|SU)(,(MO|TU|WE|TH|FR|SA|SU))*$' end
      when 'BYMONTHDAY' then freq <> 'WEEKLY' and value ~ '^[+-]?([1-9]|[12]\d|3[01])(,[+-]?([1-9]|[12]\d|3[01]))*$'
      when 'BYMONTH' then value ~ '^([1-9]|1[0-2])(,([1-9]|1[0-2]))*$'
      when 'BYSETPOS' then freq in ('MONTHLY', 'YEARLY') and value ~ '^[+-]?[1-9]\d{0,2}(,[+-]?[1-9]\d{0,2})*$'
      when 'WKST' then value ~ '^(MO|TU|WE|TH|FR|SA|SU)$'
    end;
    if fits is null then
      problem := format('%s is not known: a rule has FREQ, INTERVAL, COUNT, UNTIL, BYDAY, BYMONTHDAY, BYMONTH, BYSETPOS and WKST', coalesce(nullif(name, ''), 'an empty part'));
    elsif not fits then
      problem := format('%s cannot be %s', name, coalesce(nullif(value, ''), 'empty'));
    end if;
  end loop;
  if problem is null and 'COUNT' = any (names) and 'UNTIL' = any (names) then
    problem := 'COUNT and UNTIL exclude each other';
  elsif problem is null and 'BYSETPOS' = any (names) and not names && array['BYDAY', 'BYMONTHDAY'] then
    problem := 'BYSETPOS needs BYDAY or BYMONTHDAY';
  elsif problem is null and 'BYMONTHDAY' = any (names) and clean ~ 'BYDAY=[^;]*\d' then
    problem := 'BYDAY with numbers and BYMONTHDAY exclude each other';
  elsif problem is null and clean ~ 'BYDAY=([^;]*,)?[A-Z]' and clean ~ 'BYDAY=[^;]*\d' then
    problem := 'BYDAY has a number before each of its days or before none';
  end if;
  if problem is null and names @> array['BYMONTH', 'BYMONTHDAY'] and not exists (
    select
    from unnest(string_to_array(substring(clean from 'BYMONTH=([^;]*)'), ',')) as months (month)
    cross join unnest(string_to_array(substring(clean from 'BYMONTHDAY=([^;]*)'), ',')) as days (day)
    where abs(day::integer) <= case when month::integer = 2 then 29 when month::integer in (4, 6, 9, 11) then 30 else 31 end
  ) then
    problem := 'no month that BYMONTH names has a day of BYMONTHDAY, so it would never come';
  end if;
  if problem is not null then
    perform private.refuse('KB014', 'this is no rule by which a task can come again: ' || problem,
      'For example FREQ=WEEKLY;BYDAY=MO,TH or FREQ=MONTHLY;BYDAY=2TU.');
  end if;
  return regexp_replace(clean, '(UNTIL=\d{8})T\d{6}Z?', '\1');
end
$$;
grant execute on function private.read_recurrence_rule(text) to authenticated, service_role;

-- Checks the rule and clears the plan: next_on and next_at are worked out by the server, never by a client.
create or replace function private.plan_recurrence() returns trigger
language plpgsql set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and old.project_id <> new.project_id then
    new.column_id := private.column_in(new.project_id, old.column_id);
  end if;
  if tg_op = 'UPDATE' and current_setting('kanbase.recurring', true) = 'on' then
    return new;
  end if;
  new.rule := private.read_recurrence_rule(new.rule);
  begin
    perform now() at time zone new.time_zone;
  exception when others then
    perform private.refuse('KB014', format('there is no time zone %s', quote_nullable(new.time_zone)), 'For example Europe/Berlin.');
  end;
  new.copies := array(select distinct c from unnest(new.copies) c order by 1);
  if new.starts_on is null then
    new.starts_on := coalesce((
      select coalesce(t.due_date, t.start_date) from public.tasks t where t.project_id = new.project_id and t.id = new.task_id
    ), (now() at time zone new.time_zone)::date);
  end if;
  if new.paused_at is not null then
    new.paused_at := case when tg_op = 'UPDATE' then coalesce(old.paused_at, now()) else now() end;
  end if;
  if tg_op = 'UPDATE' and old.project_id = new.project_id then
    new.made := old.made;
    new.next_on := old.next_on;
    new.next_at := old.next_at;
    new.is_over := old.is_over;
    new.revision := old.revision;
    if (old.rule, old.time_zone, old.mode, old.starts_on, old.lead_days, old.paused_at)
      is not distinct from (new.rule, new.time_zone, new.mode, new.starts_on, new.lead_days, new.paused_at) then
      return new;
    end if;
    new.revision := old.revision + 1;
  end if;
  if tg_op = 'INSERT' or old.rule <> new.rule then
    new.made := 0;
  end if;
  new.next_on := null;
  new.next_at := null;
  new.is_over := false;
  return new;
end
$$;

-- Reaches the server on commit.
create or replace function private.tell_of_recurrences() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform pg_notify('kanbase_recurrences', '');
  return null;
end
$$;

-- A project that is restored goes on from today.
create or replace function private.replan_recurrences() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform set_config('kanbase.recurring', 'on', true);
  update public.task_recurrences r set revision = r.revision + 1, next_on = null, next_at = null
  where r.project_id = new.id and r.mode = 'calendar' and not r.is_over;
  perform set_config('kanbase.recurring', 'off', true);
  return null;
end
$$;

create or replace function private.record_recurrence() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  chosen constant text[] := array['rule', 'mode', 'time_zone', 'starts_on', 'lead_days', 'column_id', 'copies'];
  was jsonb;
  becomes jsonb;
begin
  if tg_op <> 'INSERT' then
    was := (select jsonb_object_agg(c, to_jsonb(old) -> c) from unnest(chosen) c) || jsonb_build_object('paused', old.paused_at is not null);
  end if;
  if tg_op <> 'DELETE' then
    becomes := (select jsonb_object_agg(c, to_jsonb(new) -> c) from unnest(chosen) c) || jsonb_build_object('paused', new.paused_at is not null);
  end if;
  if was is distinct from becomes then
    perform private.record_activity(coalesce(new.project_id, old.project_id), coalesce(new.task_id, old.task_id), 'updated',
      jsonb_build_object('recurrence', jsonb_build_object('from', was, 'to', becomes)));
  end if;
  return null;
end
$$;

-- Wakes the server for a series that counts from completion.
create or replace function private.wake_recurrences() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from public.task_recurrences r where r.project_id = new.project_id and r.task_id = new.id and r.mode = 'after_completion'
  ) then
    perform pg_notify('kanbase_recurrences', '');
  end if;
  return null;
end
$$;
