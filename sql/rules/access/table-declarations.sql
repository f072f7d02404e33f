-- Rules that tables have in common: times and columns that clients cannot set, deletes that answer 403 instead of nothing, authors that are
-- always the caller, and declarations (project_rows, served_rows, room_rows) that give a table its usual policies, grants and triggers.
-- A client is any role that row security applies to: `authenticated` and roles built on it. The owner of the tables (migrations, foreign key
-- actions, definer functions) and service_role are not clients.

-- created_at, updated_at and version are the database's own: a client's values are set aside, on insert and on update.
create or replace function private.keep_times() returns trigger
language plpgsql set search_path = '' as $$
declare
  client constant boolean := row_security_active(tg_relid) and current_user <> 'service_role'
    and current_setting('kanbase.importing', true) is distinct from 'on';
begin
  if tg_op = 'UPDATE' then
    new.updated_at := now();
    new.version := nextval('private.row_versions');
    if client then
      new.created_at := old.created_at;
    end if;
  elsif client then
    new.created_at := now();
    new.updated_at := now();
  else
    new.created_at := coalesce(new.created_at, now());
    new.updated_at := coalesce(new.updated_at, now());
  end if;
  return new;
end
$$;

-- For tables whose rows no client changes; keys that move them to another project do.
create or replace function private.keep_created_at() returns trigger
language plpgsql set search_path = '' as $$
begin
  if tg_op = 'UPDATE' then
    new.version := nextval('private.row_versions');
  end if;
  if row_security_active(tg_relid) and current_user <> 'service_role' and current_setting('kanbase.importing', true) is distinct from 'on' then
    new.created_at := case tg_op when 'UPDATE' then old.created_at else now() end;
  else
    new.created_at := coalesce(new.created_at, now());
  end if;
  return new;
end
$$;

-- A new row's version; a change takes its own in keep_times, keep_created_at or keep_task, which the row's lock precedes.
create or replace function private.take_version() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.version := nextval('private.row_versions');
  return new;
end
$$;

-- A table of ours with versions. Others may have a column of that name which means something else.
create or replace function private.has_versions(of_table regclass) returns boolean
language sql stable set search_path = '' as $$
  select exists (
    select from pg_catalog.pg_trigger t join pg_catalog.pg_proc f on f.oid = t.tgfoid
    where t.tgrelid = of_table and f.pronamespace = 'private'::regnamespace and f.proname in ('take_version', 'keep_task')
  )
$$;
grant execute on function private.has_versions(regclass) to authenticated, service_role;

-- Stands behind a trigger whose WHEN finds one of the named columns changed. A body that repeats the value passes (upserts set every column);
-- one that changes it is refused.
create or replace function private.refuse_change() returns trigger
language plpgsql set search_path = '' as $$
declare
  was constant jsonb := to_jsonb(old);
  becomes constant jsonb := to_jsonb(new);
  column_name text;
begin
  if not row_security_active(tg_relid) or current_user = 'service_role' then
    return new;
  end if;
  foreach column_name in array tg_argv loop
    if was -> column_name is distinct from becomes -> column_name then
      perform private.refuse('42501', format('"%s" of %s cannot be changed', column_name, tg_table_name),
        format('Leave "%s" out of the body, or send the value the row has.', column_name));
    end if;
  end loop;
  return new;
end
$$;

-- Stands behind a trigger whose WHEN finds that the caller sees the row but may not delete it.
create or replace function private.refuse_delete() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform private.refuse('42501', format('permission denied to delete from %s: your role in this project does not allow it', tg_table_name),
    tg_argv[0]);
end
$$;

-- Stands behind a trigger whose WHEN finds an author that is not the caller. Left empty, it becomes the caller; a row that exists already
-- (an upsert brings it back whole) keeps its author; anything else is refused.
create or replace function private.claim_author() returns trigger
language plpgsql set search_path = '' as $$
declare
  author_column constant text := tg_argv[0];
  claimed constant text := to_jsonb(new) ->> author_column;
  is_theirs boolean;
begin
  if not row_security_active(tg_relid) or current_user = 'service_role' then
    return new;
  end if;
  if claimed is null then
    return jsonb_populate_record(new, jsonb_build_object(author_column, auth.uid()));
  end if;
  execute format('select true from %I.%I where id = $1 and %I = $2 for key share', tg_table_schema, tg_table_name, author_column)
    into is_theirs using new.id, claimed::uuid;
  if is_theirs is not true then
    perform private.refuse('42501', format('"%s" of %s is whoever makes the row', author_column, tg_table_name),
      format('Leave "%s" out of the body.', author_column));
  end if;
  return new;
end
$$;

-- A child row that does not name its project belongs to the project of its task.
create or replace function private.fill_project() returns trigger
language plpgsql set search_path = '' as $$
begin
  select t.project_id into new.project_id from public.tasks t where t.id = new.task_id;
  if new.project_id is null then
    -- same answer as for a task in a foreign project
    perform private.refuse('42501', format('new row violates row-level security policy for table "%s"', tg_table_name),
      'There is no task with this task_id, or you may not write in its project.');
  end if;
  return new;
end
$$;

-- Declarations: they answer with what they made and granted, so that what an earlier text made can be taken back ------------

create or replace function private.make_policy(of_table regclass, called text, words text) returns text
language plpgsql set search_path = '' as $$
begin
  execute format('drop policy if exists %I on %s', called, of_table);
  execute format('create policy %I on %s %s', called, of_table, words);
  return format('policy %s on %s', called, of_table);
end
$$;

create or replace function private.make_trigger(of_table regclass, called text, words text) returns text
language plpgsql set search_path = '' as $$
begin
  execute format('create or replace trigger %I %s', called, replace(words, '%t', of_table::text));
  return format('trigger %s on %s', called, of_table);
end
$$;

create or replace function private.make_grant(of_table regclass, rights text, roles text) returns text
language plpgsql set search_path = '' as $$
declare
  words constant text := format('grant %s on %s to %s', rights, of_table, roles);
begin
  execute words;
  return words;
end
$$;

-- Columns that are the same everywhere. What a table says of its own stands in its file and is left alone.
create or replace function private.describe_columns(of_table regclass, fills_project boolean) returns void
language plpgsql set search_path = '' as $$
declare
  one record;
begin
  for one in
    select a.attname, w.words
    from (values
      ('id', 'Made by the server unless the client sends its own.'),
      ('project_id', case when fills_project then 'The project; filled from the task when left out.' else 'The project.' end),
      ('task_id', 'The task.'),
      ('audience_id', 'The restricted task that it belongs to, whose people alone see it; empty for most. Kept by the database.'),
      ('created_at', 'When the row was made; kept by the database.'),
      ('updated_at', 'When the row last changed; kept by the database.'),
      ('version', 'Grows with every change of the row; kept by the database. apply_changes takes it as the state that a change was based on.')
    ) w (name, words)
    join pg_catalog.pg_attribute a on a.attrelid = of_table and a.attname = w.name and not a.attisdropped
    where pg_catalog.col_description(of_table, a.attnum) is null
  loop
    execute format('comment on column %s.%I is %L', of_table, one.attname, one.words);
  end loop;
end
$$;

-- What a token leaves to a program (private.my_token), of all its person may: rows of the projects it names, and of a token that names none all
-- rows. One that names projects sees of other tables only who is in these.
create or replace function private.narrowed_rows(of_table regclass, program text, has_deletes boolean, project text default null) returns setof text
language plpgsql set search_path = '' as $$
declare
  name constant text := (select c.relname from pg_catalog.pg_class c where c.oid = of_table);
  needed constant text := case program when 'comment' then '1' else '2' end;
  place constant text := coalesce(narrowed_rows.project, case
    when name = 'projects' then 'id'
    when exists (select from pg_catalog.pg_attribute a where a.attrelid = of_table and a.attname = 'project_id' and not a.attisdropped) then 'project_id'
  end);
  condition constant text := '(select t.project_ids is null and t.level > %1$s from private.my_token t)' || case
    when place is not null then ' or ' || place || ' = any ((select t.project_ids from private.my_token t where t.level > %1$s)::uuid[])'
    else ''
  end;
  others constant text := case name when 'profiles' then ' or id = any (array(select user_id from private.my_token_people))' else '' end;
begin
  return next private.make_policy(of_table, 'program', format('as restrictive to program using (%s) with check (%s)',
    case program when 'hidden' then 'false' else format(condition, '0') || others end,
    case when program in ('none', 'hidden') then 'false' else format(condition, needed) end));
  -- Of tasks, the trigger that refuses viewers asks the token, too.
  if has_deletes and name <> 'tasks' then
    return next private.make_trigger(of_table, name || '_refuse_program', format('before delete on %%t for each row
      when (row_security_active(%L) and current_user = ''program'') execute function private.refuse_program(%L)', of_table, program));
  end if;
end
$$;

-- A policy would let a delete pass in silence.
create or replace function private.refuse_program() returns trigger
language plpgsql set search_path = '' as $$
begin
  if tg_argv[0] in ('none', 'hidden') or not exists (select from private.my_token t where t.level >= case tg_argv[0] when 'comment' then 2 else 3 end) then
    perform private.refuse('42501', format('permission denied to delete from %s: the scope of your token does not allow it', tg_table_name),
      'Use a key or app with the scope for it, or sign in yourself.');
  end if;
  return old;
end
$$;

-- A table that /rest/v1 serves: the service key sees all of it, its changes are published, its times and versions are the database's own.
--   writes         columns that clients insert and update, beside times and version; inserts, updates: those they only insert, or only update
--   clients        their other rights, always held to policies; empty: the file grants
--   own            what people do with rows that have their user_id: read, add, change, remove
--   keeps          what clients cannot set: times (both), created_at, or none where the file declares it
--   fixed          columns that no change may touch
--   author         the column that is always the caller in a new row
--   fills_project  a row without a project belongs to that of its task
--   program        scope that a program needs to write: write, comment, or none where people alone do; hidden: it does not even read. What it writes
--                  in a session of an agent is noted (agents/changes.sql)
create or replace function private.served_rows(
  of_table regclass, writes text[] default '{}', inserts text[] default '{}', updates text[] default '{}', clients text default 'select, delete',
  own text[] default '{}', keeps text default 'times', fixed text[] default '{}', author text default null, fills_project boolean default false,
  program text default 'write'
) returns setof text
language plpgsql set search_path = '' as $$
declare
  name constant text := (select c.relname from pg_catalog.pg_class c where c.oid = of_table);
  mine constant text := '(user_id = (select user_id from private.caller))';
  kept constant text := (
    select string_agg(quote_ident(a.attname), ', ') from pg_catalog.pg_attribute a
    where a.attrelid = of_table and a.attname in ('created_at', 'updated_at', 'version', 'audience_id')
  );
begin
  perform private.publish_table(of_table);
  perform private.describe_columns(of_table, fills_project);
  return next private.make_policy(of_table, 'service', 'to service_role using (true) with check (true)');
  return query select private.make_policy(of_table, p.called || '_own', p.words) from (values
    ('read', 'for select to authenticated using ' || mine),
    ('add', 'for insert to authenticated with check ' || mine),
    ('change', format('for update to authenticated using %s with check %s', mine, mine)),
    ('remove', 'for delete to authenticated using ' || mine)
  ) p (called, words) where p.called = any (served_rows.own);
  return query select private.narrowed_rows(of_table, program, program in ('none', 'hidden') or clients like '%delete%');
  if program in ('write', 'comment') and (writes || inserts || updates <> '{}' or clients like '%delete%')
    and (name = 'projects' or private.has_column(of_table, 'project_id')) then
    return next private.make_trigger(of_table, name || case name when 'tasks' then '_69_note_session' else '_note_session' end, 'after insert or update or delete on %t for each row
      when (current_setting(''role'', true) = ''program'') execute function private.note_session_change()');
  end if;
  if clients <> '' then
    return next private.make_grant(of_table, 'all', 'service_role');
    return next private.make_grant(of_table, 'select', 'anon');
    return query select private.make_grant(of_table, concat_ws(', ', clients, string_agg(
        format('%s (%s, %s)', r.verb, (select string_agg(quote_ident(c), ', ') from unnest(r.columns) c), kept), ', ')), 'authenticated')
      from (values ('insert', writes || inserts), ('update', writes || updates)) r (verb, columns) where r.columns <> '{}';
  end if;
  if keeps <> 'none' then
    return next private.make_trigger(of_table, name || '_keep', format('before update on %%t for each row execute function private.keep_%s()', keeps));
    return next private.make_trigger(of_table, name || '_keep_new', format('before insert on %%t for each row
      when (new.created_at is distinct from now()%s) execute function private.keep_%s()',
      case keeps when 'times' then ' or new.updated_at is distinct from now()' else '' end, keeps));
    return next private.make_trigger(of_table, name || '_version', 'before insert on %t for each row execute function private.take_version()');
  end if;
  if author is not null then
    return next private.make_trigger(of_table, name || '_claim_author', format('before insert on %%t for each row
      when (new.%I is distinct from auth.uid()) execute function private.claim_author(%L)', author, author));
  end if;
  if fills_project then
    return next private.make_trigger(of_table, name || '_fill_project',
      'before insert on %t for each row when (new.project_id is null) execute function private.fill_project()');
  end if;
  if fixed <> '{}' then
    return query select private.make_trigger(of_table, name || '_refuse_change', format(
        'before update on %%t for each row when (%s) execute function private.refuse_change(%s)',
        string_agg(format(case when a.attnotnull then 'old.%1$I <> new.%1$I' else 'old.%1$I is distinct from new.%1$I' end, a.attname), ' or '
          order by not a.attnotnull, f.place),
        string_agg(quote_literal(a.attname), ', ' order by f.place)))
      from unnest(fixed) with ordinality f (called, place)
      join pg_catalog.pg_attribute a on a.attrelid = of_table and a.attname = f.called;
  end if;
end
$$;

-- Rows of a project: its members read them, those with one of the roles `written_by` write them. `but` names the parts (add, change, remove,
-- refuse_delete) that the file of the table declares in another way; all else as in served_rows. `guests` says what people who see single tasks
-- (people/guests.sql) do with it: nothing, read, or write where they may edit the task; of a table that is no task's, read all.
create or replace function private.project_rows(
  of_table regclass, writes text[] default '{}', inserts text[] default '{}', updates text[] default '{}', clients text default 'select, delete',
  keeps text default 'times', fixed text[] default '{}', author text default null, fills_project boolean default false,
  written_by text[] default '{owner, editor}', but text[] default '{}', guests text default 'nothing', program text default 'write'
) returns setof text
language plpgsql set search_path = '' as $$
declare
  name constant text := (select c.relname from pg_catalog.pg_class c where c.oid = of_table);
  member constant text := 'project_id = any (array(select project_id from private.my_memberships))';
  writer constant text := format('project_id = any (array(select project_id from private.my_memberships where role %s))',
    case written_by when '{owner}' then '= ''owner''' else 'in (''owner'', ''editor'')' end);
  has_audience constant boolean := private.has_column(of_table, 'audience_id');
  has_task constant boolean := private.has_column(of_table, 'task_id');
  task constant text := case when has_task then 'task_id' when name = 'tasks' then 'id' end;
  reader constant text := case guests when 'nothing' then member else private.in_sight('project_id') end;
  changer constant text := writer || case guests when 'write' then format(' or %s = any ((select private.guest_tasks(''edit''))::uuid[])', task) else '' end;
begin
  return query select private.served_rows(of_table, writes, inserts, updates, clients, '{}', keeps, fixed, author, fills_project, program);
  -- "remove" lets every member through: the trigger then refuses those who may not with 403, where a policy would say nothing.
  return query select private.make_policy(of_table, p.called, p.words) from (values
    ('read', format('for select to authenticated using (%s)', reader)),
    ('add', format('for insert to authenticated with check (%s)', changer)),
    ('change', format('for update to authenticated using (%s) with check (%s)', reader, changer)),
    ('remove', format('for delete to authenticated using (%s)', reader))
  ) p (called, words) where p.called <> all (but);
  if 'refuse_delete' <> all (but) then
    return next private.refuse_deletes(of_table, case when guests = 'write' and has_task then 'not private.may_edit_task(old.project_id, old.task_id)'
      else 'not private.is_writer(old.project_id)' end, 'Ask an owner of the project for the editor role.');
  end if;
  -- Rows of a restricted task, for those alone who see it (tasks/restricted.sql), and for guests those of their tasks. Asked of the row at hand:
  -- most have no audience of their own.
  if has_audience then
    return next private.make_policy(of_table, 'audience', 'as restrictive to authenticated using (audience_id is null
      or audience_id = any ((select private.seen_audiences())::uuid[]) or project_id = any ((select private.owned_projects())::uuid[]))');
    if guests <> 'nothing' then
      return next private.make_policy(of_table, 'guests', private.only_tasks_of_guests(task));
    end if;
    -- Of tasks keep_task keeps it.
    if clients <> '' and name <> 'tasks' then
      return next private.make_trigger(of_table, name || '_keep_audience', format('before update on %%t for each row
        when (old.audience_id is distinct from new.audience_id and (row_security_active(%L) or current_user = ''service_role''))
        execute function private.keep_audience()', of_table));
    end if;
    if clients <> '' and has_task then
      return next private.make_trigger(of_table, name || '_take_audience',
        format('before insert or update of task_id on %%t for each row %s execute function private.take_audience()',
          -- The database's own bring it along (tasks.sql, watching.sql, moving-to-project.sql).
          case name when 'task_watchers' then 'when (row_security_active(''public.task_watchers'') or current_user = ''service_role'')' end));
    end if;
  end if;
end
$$;

-- Words of policies: a project that the caller is in, or has tasks of as a guest. One array, so that an index on the column serves.
create or replace function private.in_sight(project text) returns text
language sql immutable set search_path = ''
return format('%s = any ((select array(select project_id from private.my_memberships)
  || case when private.may_be_guest() then private.guest_projects() end)::uuid[])', project);

-- And of a guest's projects those tasks alone. Asked as "is not null", which Postgres takes to hold nearly always: plans stay as they are for programs.
create or replace function private.only_tasks_of_guests(task text) returns text
language sql immutable set search_path = ''
return format('as restrictive to task_guest, program using ((select nullif(private.may_be_guest(), true)) is not null
  or project_id <> all ((select private.guest_projects())::uuid[]) or %s = any ((select private.guest_tasks(''see''))::uuid[]))', task);

create or replace function private.has_column(of_table regclass, called text) returns boolean
language sql stable set search_path = '' as $$
  select exists (select from pg_catalog.pg_attribute a where a.attrelid = of_table and a.attname = called and not a.attisdropped)
$$;

-- Rows that clients see but may not delete where `when_true`.
create or replace function private.refuse_deletes(of_table regclass, when_true text, hint text) returns text
language sql volatile set search_path = '' as $$
  select private.make_trigger(of_table, c.relname || '_refuse_delete', format('before delete on %%t for each row
    when (row_security_active(%L) and current_user <> ''service_role'' and %s) execute function private.refuse_delete(%L)', of_table, when_true, hint))
  from pg_catalog.pg_class c where c.oid = of_table
$$;

-- Rows that one room of the server works with, and nobody else.
create or replace function private.room_rows(of_table regclass, room text, rights text) returns setof text
language plpgsql set search_path = '' as $$
begin
  return next private.make_policy(of_table, replace(room, 'kanbase_', '') || '_room', format('to %I using (true) with check (true)', room));
  return next private.make_grant(of_table, rights, room);
end
$$;
