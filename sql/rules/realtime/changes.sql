-- Changes of tables: the tables that are published, triggers that note changes where the log cannot be decoded (private.changes), and
-- changes_since for clients that were away. changes_since stores nothing: a row knows which transaction wrote it, and deleted rows show in sums
-- over the keys; all of it is read under the caller's policies. private.timelines lists the timelines of this database: a replica answers only if
-- it knows the timeline of the primary.

select private.room_rows('private.changes', 'kanbase_realtime', 'select, delete');
comment on table private.changes is 'Changes noted by triggers, where Postgres'' log cannot be decoded.';

select private.room_rows('private.timelines', 'kanbase_replica', 'insert, select');

-- The log needs the whole old row: it decides which subscribers could see a row that is deleted.
create or replace function private.publish_table(relation regclass) returns void
language plpgsql set search_path = '' as $$
begin
  execute format('alter table %s replica identity full', relation);
  if not exists (
    select from pg_catalog.pg_publication_rel r join pg_catalog.pg_publication p on p.oid = r.prpubid
    where p.pubname = 'supabase_realtime' and r.prrelid = relation
  ) then
    execute format('alter publication supabase_realtime add table %s', relation);
  end if;
end
$$;

create or replace function private.note_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.changes (relation, kind, old, new)
  values (
    coalesce(pg_partition_root(tg_relid)::oid, tg_relid), tg_op,
    case when tg_op <> 'INSERT' then to_jsonb(old) end, case when tg_op <> 'DELETE' then to_jsonb(new) end
  );
  perform pg_notify('kanbase_changes', '');
  return null;
end
$$;

-- Puts the triggers on published tables, or takes them away. Run by the owner of the tables.
create or replace function private.follow_with_triggers(wanted boolean) returns void
language plpgsql set search_path = '' as $$
declare
  found record;
begin
  perform pg_advisory_xact_lock(7003110518);
  for found in
    select c.oid::regclass as relation, (select n.nspname from pg_catalog.pg_namespace n where n.oid = c.relnamespace) as schema, c.oid = 'realtime.messages'::regclass as is_messages,
      exists (select from pg_catalog.pg_trigger t where t.tgrelid = c.oid and t.tgname = 'kanbase_changes') as has,
      exists (
        select from pg_catalog.pg_publication_rel r join pg_catalog.pg_publication p on p.oid = r.prpubid
        where r.prrelid = c.oid and p.pubname in ('supabase_realtime', 'supabase_realtime_messages_publication')
      ) as told
    from pg_catalog.pg_class c where c.relkind in ('r', 'p') and not c.relispartition
  loop
    if found.has and not (wanted and found.told) then
      execute format('drop trigger kanbase_changes on %s', found.relation);
    elsif wanted and found.told and not found.has then
      execute format(
        'create trigger kanbase_changes after %s on %s for each row execute function private.note_change()',
        case when found.is_messages then 'insert' else 'insert or update or delete' end, found.relation
      );
      -- the server reads the noted rows back as rows of their table
      execute format('grant usage on schema %I to kanbase_realtime', found.schema);
    end if;
  end loop;
end
$$;

-- Tables of a project, the ids that make up their keys, and long texts that clients fetch on demand.
create or replace function private.project_tables() returns table (name text, ids text[], leaves_out text[])
language sql immutable parallel safe set search_path = '' as $$
  values
    ('workflow_columns', array['id'], array[]::text[]),
    ('tasks', array['id'], array['description']),
    ('task_labels', array['id'], '{}'),
    ('task_assignees', array['task_id', 'user_id'], '{}'),
    ('task_label_links', array['task_id', 'label_id'], '{}'),
    ('task_checklist_items', array['id'], '{}'),
    ('task_attachments', array['id'], '{}'),
    ('task_dependencies', array['id'], '{}'),
    ('task_comments', array['id'], array['body']),
    ('custom_fields', array['id'], '{}'),
    ('task_field_values', array['task_id', 'field_id'], '{}'),
    ('task_grants', array['task_id', 'user_id'], '{}'),
    ('task_claims', array['id'], '{}'),
    ('agent_sessions', array['id'], array['plan', 'links']),
    ('agent_proposals', array['id'], array['call', 'difference']),
    ('task_recurrences', array['id'], '{}'),
    ('templates', array['id'], array['body']),
    ('project_invitations', array['id'], '{}'),
    ('join_links', array['id'], '{}'),
    ('share_links', array['id'], '{}'),
    ('webhooks', array['id'], '{}')
$$;
grant execute on function private.project_tables() to authenticated, service_role;

create or replace function public.changes_since(project_id uuid, since text default null, known jsonb default '{}') returns jsonb
language plpgsql stable set search_path = '' set jit = off as $$
declare
  most_buckets constant int := 4096;
  -- Transactions below it have ended: what they wrote is seen here. One that was under way is looked at again next time.
  until constant bigint := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
  newest constant bigint := pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
  asked bigint := case when since ~ '^\d{1,18}$' then since::bigint end;
  changed jsonb := '{}';
  present jsonb := '{}';
  part record;
  buckets int;
  digest text;
  rows jsonb;
begin
  if not exists (select from public.projects p where p.id = changes_since.project_id) then
    perform private.raise_not_found('project');
  end if;
  -- Of another database than this one: what it means cannot be known.
  if asked > newest then
    return jsonb_build_object('until', until::text, 'changed', null, 'present', null);
  end if;
  for part in select t.name, t.ids, t.leaves_out from private.project_tables() t where known ? t.name loop
    buckets := jsonb_array_length(known -> part.name);
    if buckets > most_buckets then
      perform private.refuse('22023', format('%s sums are given for %s, and at most %s are compared', buckets, part.name, most_buckets),
        'Let more rows share a bucket, or read the table anew.');
    end if;
    if asked is not null then
      -- A row has the lower half of the number of its transaction, which is not above the newest.
      execute format(
        'select jsonb_agg(to_jsonb(t) - $4) from public.%I t
         where t.project_id = $1 and $2 - (($2 - t.xmin::text::bigint) & 4294967295) >= $3',
        part.name
      ) into rows using changes_since.project_id, newest, asked, part.leaves_out;
      if rows is not null then
        changed := changed || jsonb_build_object(part.name, rows);
      end if;
    end if;

    continue when buckets = 0;
    digest := (
      select string_agg(format('(''x'' || right(t.%I::text, 6))::bit(24)::bigint', id), ' * ' order by place)
      from unnest(part.ids) with ordinality as i (id, place)
    );
    execute format(
      'with digests as (
         select %2$s %% 16777213 as digest, %3$s as key from public.%1$I t where t.project_id = $1
       ),
       held as (
         select d.digest %% $3 as bucket, sum(d.digest) as sum, array_agg(d.key) as keys from digests d group by 1
       )
       select jsonb_object_agg(k.n - 1, coalesce(to_jsonb(h.keys), ''[]''))
       from jsonb_array_elements_text($2) with ordinality as k (sum, n)
       left join held h on h.bucket = k.n - 1
       where k.sum::bigint <> coalesce(h.sum, 0)',
      part.name, digest,
      (select string_agg(format('t.%I', id), ' || '' '' || ' order by place) from unnest(part.ids) with ordinality as i (id, place))
    ) into rows using changes_since.project_id, known -> part.name, buckets;
    if rows is not null then
      present := present || jsonb_build_object(part.name, rows);
    end if;
  end loop;
  return jsonb_build_object('until', until::text, 'changed', changed, 'present', present);
end
$$;
grant execute on function public.changes_since(uuid, text, jsonb) to service_role, authenticated;
comment on function public.changes_since(uuid, text, jsonb) is 'What changed in a project since `until` of an earlier answer, for a client that was away. `known` has for each table that is asked about a list of sums: rows fall into as many buckets as the list is long, by their digest (the last six digits of the ids in the key, multiplied, modulo 16777213) modulo that number; a sum adds the digests of the rows that are known. `changed` has the rows written since, long texts left out; `present` has, for buckets whose sums differ, all the keys there are.';
