-- The outbox: changes as events, each written in the transaction of its change, and only where a consumer waits for the project
-- (private.event_interests). Lines of task_activity become events, and so do changes of columns, labels, members and the project. Imports write none.
--
-- A consumer's cursor is a snapshot, not a number: transactions commit in another order than they take numbers, and a cursor by number would pass
-- over one that commits late. An event is behind a consumer if its transaction is visible in `done`. What is visible now and was not then is read
-- in the order of `place`, which is taken under the lock of the task's row: whoever changes a task after another sees the other's event, so the
-- events of a task keep their order within a snapshot and from one to the next. No transaction has to be waited for.

select private.room_rows('private.event_consumers', 'kanbase_outbox', 'select');
select private.room_rows('private.event_interests', 'kanbase_outbox', 'select');
select private.room_rows('private.events', 'kanbase_outbox', 'select, delete');
comment on table private.event_consumers is 'Consumers of events, and how far each has come.';
comment on table private.event_interests is 'Projects whose changes a consumer waits for.';
comment on table private.events is 'Changes that consumers are told of; deleted when all of them have read them.';

-- While no consumer has ever waited for anything, the table has no pages, which is cheaper to ask than its rows.
create or replace trigger task_activity_note_event after insert on public.task_activity for each row
  when (pg_relation_size('private.event_interests') > 0) execute function private.note_activity_event();
create or replace trigger workflow_columns_note_event after insert or update or delete on public.workflow_columns for each row
  execute function private.note_row_event('column', 'name', 'kind', 'position', 'wip_limit', 'color');
create or replace trigger task_labels_note_event after insert or update or delete on public.task_labels for each row
  execute function private.note_row_event('label', 'name', 'color');
create or replace trigger project_members_note_event after insert or update or delete on public.project_members for each row
  execute function private.note_row_event('member', 'user_id', 'group_id', 'role');
create or replace trigger projects_note_event after update on public.projects for each row
  execute function private.note_row_event('project', 'name', 'description', 'key', 'color', 'archived_at', 'deleted_at', 'enforce_dependencies',
    'parents_wait_for_subtasks', 'viewers_may_comment');

create or replace function private.event_type_of(line public.task_activity) returns text
language sql immutable
return case
  when line.task_id is null and line.kind = 'updated' then 'project.updated'
  when line.kind like 'checklist\_item\_%' then
    'checklist_item.' || case line.kind when 'checklist_item_added' then 'created' when 'checklist_item_removed' then 'deleted' else 'updated' end
  when line.kind like 'dependency\_%' then
    'dependency.' || case line.kind when 'dependency_added' then 'created' when 'dependency_removed' then 'deleted' else 'updated' end
  else case line.kind
    when 'commented' then 'comment.created' when 'comment_edited' then 'comment.updated' when 'comment_deleted' then 'comment.deleted'
    when 'attached' then 'attachment.created' when 'attachment_renamed' then 'attachment.updated' when 'detached' then 'attachment.deleted'
    else 'task.' || line.kind
  end
end;

-- Without a consumer, one look into an index that fits in a page.
create or replace function private.note_activity_event() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from private.event_interests i where i.project_id = new.project_id) then
    return null;
  end if;
  if current_setting('kanbase.importing', true) = 'on' then
    return null;
  end if;
  insert into private.events (id, project_id, task_id, type, actor_id, program, change, task, comment, is_restricted, created_at)
  values (new.id, new.project_id, coalesce(new.task_id, case when new.kind in ('deleted', 'moved_out') then (new.change ->> 'id')::uuid end),
    private.event_type_of(new), new.actor_id, new.program, new.change,
    coalesce((select to_jsonb(t) - '{audience_id,version}'::text[] from public.tasks t where t.project_id = new.project_id and t.id = new.task_id),
      case when new.kind in ('deleted', 'moved_out') then new.change - 'project_id' end),
    case when new.kind in ('commented', 'comment_edited') then
      (select to_jsonb(c) - '{audience_id,version}'::text[] from public.task_comments c
        where c.project_id = new.project_id and c.id = (new.change ->> 'comment_id')::uuid) end,
    new.audience_id is not null, new.created_at);
  return null;
end
$$;

-- A commit that notifies is alone with its write to the disk. Consumers that look by themselves for a while need no notification. Decided when the
-- transaction commits, since they may have stopped by then; a second of what they say is left for the commit to end. None says so for more than seconds:
-- what is later was said before the clock was put back.
create constraint trigger events_wake_consumers after insert on private.events deferrable initially deferred for each row
  execute function private.wake_consumers();

create or replace function private.wake_consumers() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from private.event_consumers c
    where (c.awake_until between clock_timestamp() + interval '1 second' and clock_timestamp() + interval '1 minute') is not true
      and exists (select from private.event_interests i where i.project_id = new.project_id and i.consumer = c.name)
  ) then
    perform pg_notify('kanbase_events', '');
  end if;
  return null;
end
$$;

create or replace function private.stay_awake(of_consumer text, seconds integer) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  was constant timestamptz := (select c.awake_until from private.event_consumers c where c.name = of_consumer);
begin
  update private.event_consumers c set awake_until = clock_timestamp() + make_interval(secs => seconds) where c.name = of_consumer;
  -- Other nodes watch from here on whether this one lasts.
  if seconds > 0 and (was between clock_timestamp() and clock_timestamp() + interval '1 minute') is not true then
    perform pg_notify('kanbase_events', '');
  end if;
end
$$;
grant execute on function private.stay_awake(text, integer) to kanbase_outbox;
comment on function private.stay_awake(text, integer) is 'Says that a consumer looks for events by itself for so many seconds, and some more; others are notified when that begins.';

-- Arguments of the trigger: what the row is, then the columns that are told. Nothing while the project itself goes.
create or replace function private.note_row_event() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  was constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  becomes constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  one constant jsonb := coalesce(becomes, was);
  project constant uuid := (one ->> case tg_argv[0] when 'project' then 'id' else 'project_id' end)::uuid;
  changed text[];
begin
  if not exists (select from private.event_interests i where i.project_id = project) or current_setting('kanbase.importing', true) = 'on' then
    return null;
  end if;
  changed := array(select c from unnest(tg_argv[1:]) c where was -> c is distinct from becomes -> c);
  if changed = '{}' or (tg_argv[0] <> 'project' and not private.project_exists(project)) then
    return null;
  end if;
  insert into private.events (project_id, type, actor_id, change)
  values (project,
    tg_argv[0] || case
      when tg_op = 'INSERT' then '.created'
      when tg_op = 'DELETE' then '.deleted'
      when was -> 'deleted_at' = 'null' and becomes -> 'deleted_at' <> 'null' then '.deleted'
      when was -> 'deleted_at' <> 'null' and becomes -> 'deleted_at' = 'null' then '.restored'
      else '.updated' end,
    auth.uid(),
    jsonb_build_object('id', coalesce(one -> 'id', one -> 'user_id')) ||
      (select jsonb_object_agg(c, jsonb_build_object('from', was -> c, 'to', becomes -> c)) from unnest(changed) c));
  return null;
end
$$;

-- Reading ---------------------------------------------------------------------------------------------------------------------

-- The next events of a consumer, in order, with the snapshot they belong to and where in it they begin; nothing where none waits. It moves nothing on:
-- read again, they are the same until advance_events is called.
create or replace function private.read_events(of_consumer text, most integer)
returns table (batch pg_snapshot, since bigint, place bigint, id uuid, project_id uuid, task_id uuid, type text, actor_id uuid, program jsonb, change jsonb, task jsonb,
  comment jsonb, is_restricted boolean, created_at timestamptz)
language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  cursor_ private.event_consumers;
begin
  loop
    select c.* into cursor_ from private.event_consumers c where c.name = of_consumer;
    -- Numbers of transactions of another server than this one, whose data were brought here.
    if pg_snapshot_xmax(cursor_.done) > pg_snapshot_xmax(pg_current_snapshot()) then
      update private.event_consumers c set done = '1:1:', under_way = null, through = 0 where c.name = of_consumer;
      continue;
    end if;
    if cursor_.under_way is null then
      if not exists (select from private.events e where e.xid >= pg_snapshot_xmin(cursor_.done) and not pg_visible_in_snapshot(e.xid, cursor_.done)) then
        return;
      end if;
      -- Nothing else is written in this transaction: an event of its own would count as seen.
      update private.event_consumers c set under_way = pg_current_snapshot(), through = 0 where c.name = of_consumer and c.under_way is null;
      select c.* into cursor_ from private.event_consumers c where c.name = of_consumer;
    end if;
    return query
    select cursor_.under_way, cursor_.through, e.place, e.id, e.project_id, e.task_id, e.type, e.actor_id, e.program, e.change, e.task, e.comment, e.is_restricted,
      e.created_at
    from private.events e
    where e.xid >= pg_snapshot_xmin(cursor_.done) and not pg_visible_in_snapshot(e.xid, cursor_.done)
      and pg_visible_in_snapshot(e.xid, cursor_.under_way) and e.place > cursor_.through
      and e.project_id in (select i.project_id from private.event_interests i where i.consumer = of_consumer)
    order by e.place
    limit most;
    if found then
      return;
    end if;
    update private.event_consumers c set done = c.under_way, under_way = null, through = 0
    where c.name = of_consumer and c.under_way::text = cursor_.under_way::text and c.through = cursor_.through;
  end loop;
end
$$;
grant execute on function private.read_events(text, integer) to kanbase_outbox;
comment on function private.read_events(text, integer) is 'The next events of a consumer. What it makes of them is written in one transaction with advance_events, which makes it happen once.';

-- False where another node was here first: nothing of what was made of the events may be kept then. Locks the cursor.
create or replace function private.advance_events(of_consumer text, of_batch pg_snapshot, since bigint, past bigint) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.event_consumers c set through = past
  where c.name = of_consumer and c.under_way::text = of_batch::text and c.through = advance_events.since;
  return found;
end
$$;
comment on function private.advance_events(text, pg_snapshot, bigint, bigint) is 'Moves the cursor of a consumer past an event of its batch.';

create or replace function private.forget_events() returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.events e where not exists (
    select from private.event_consumers c where not pg_visible_in_snapshot(e.xid, c.done)
  )
$$;
grant execute on function private.forget_events() to kanbase_outbox;
comment on function private.forget_events() is 'Deletes events that are behind all consumers.';
