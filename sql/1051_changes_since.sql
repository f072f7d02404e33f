-- changes_since in linear time: keys are grouped into their buckets once, in place of being looked through for each bucket, and a table has
-- 4,096 buckets at most (the app asks for 256).

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
      raise exception using
        errcode = '22023',
        message = format('%s sums are given for %s, and at most %s are compared', buckets, part.name, most_buckets),
        hint = 'Let more rows share a bucket, or read the table anew.';
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
