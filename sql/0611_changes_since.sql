-- What changed in a project since a client last looked, for one that was away: rows that were written since, and what shows which of
-- the rows it knows are gone. Nothing is kept for it: a row says by itself which transaction wrote it, and what is gone shows in sums over
-- the keys. All of it is read as the caller, under the policies of each table.

-- The tables of a project, the ids their keys are made of, and long texts that are read where they are shown.
create function private.project_tables() returns table (name text, ids text[], leaves_out text[])
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
    ('project_invitations', array['id'], '{}')
$$;
grant execute on function private.project_tables() to authenticated, service_role;

create function public.changes_since(project_id uuid, since text default null, known jsonb default '{}') returns jsonb
language plpgsql stable set search_path = '' set jit = off as $$
declare
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

    buckets := jsonb_array_length(known -> part.name);
    continue when buckets = 0;
    digest := (
      select string_agg(format('(''x'' || right(t.%I::text, 6))::bit(24)::bigint', id), ' * ' order by place)
      from unnest(part.ids) with ordinality as i (id, place)
    );
    execute format(
      'with keys as (
         select %2$s %% 16777213 as digest, %3$s as key from public.%1$I t where t.project_id = $1
       ),
       differing as (
         select n - 1 as bucket from jsonb_array_elements_text($2) with ordinality as k (sum, n)
         where k.sum::bigint <> coalesce((select sum(digest) from keys where digest %% $3 = n - 1), 0)
       )
       select jsonb_object_agg(d.bucket, coalesce((select jsonb_agg(key) from keys where digest %% $3 = d.bucket), ''[]''))
       from differing d',
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
grant execute on function public.changes_since(uuid, text, jsonb) to authenticated, service_role;

comment on function public.changes_since(uuid, text, jsonb) is
  'What changed in a project since `until` of an earlier answer, for a client that was away. `known` has for each table that is asked about a list of sums: rows fall into as many buckets as the list is long, by their digest (the last six digits of the ids in the key, multiplied, modulo 16777213) modulo that number; a sum adds the digests of the rows that are known. `changed` has the rows written since, long texts left out; `present` has, for buckets whose sums differ, all the keys there are.';
