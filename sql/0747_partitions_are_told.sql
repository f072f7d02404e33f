-- Where triggers note changes: a row of a partitioned table is one of the table that was published, as Postgres' log has it,
-- and not of the partition it lies in. Messages from SQL are such rows.

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
