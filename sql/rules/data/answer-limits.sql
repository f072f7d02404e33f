-- Limits of answers of the data door, which statements check while they run: an error undoes the transaction in the same round trip, and its
-- SQLSTATE names the rule, in whatever language Postgres speaks. A schema of its own, open to all and with nothing else in it, since the role
-- that a token names runs these statements.

-- KBD01: not exactly one row; KBD02: more rows than allowed; KBD03: an answer too long to be held in memory.
-- Volatile, so that it is called where the statement says, and nowhere before.
create or replace function data_door.refuse_result(reason text, row_count bigint) returns integer
language plpgsql volatile parallel safe set search_path = '' as $$
begin
  raise exception 'The result was refused' using errcode = reason, detail = row_count::text;
end
$$;
grant execute on function data_door.refuse_result(text, bigint) to public;
comment on function data_door.refuse_result(text, bigint) is 'Ends the statement with that SQLSTATE; the number of rows goes into the details.';

-- KBD04: more bytes than allowed; KBD05: more embedded rows. Lists embedded in lists are added up, since each may be short: the statement ends
-- before memory does. Volatile, as it counts; only called for lists of some size.
create or replace function data_door.admit_list(list_bytes bigint, row_count bigint, most_bytes bigint, most_rows bigint) returns boolean
language plpgsql volatile parallel unsafe set search_path = '' as $$
declare
  total_bytes bigint := coalesce(nullif(current_setting('kanbase.list_bytes', true), ''), '0')::bigint + list_bytes;
  total_rows bigint := coalesce(nullif(current_setting('kanbase.list_rows', true), ''), '0')::bigint + row_count;
begin
  if most_bytes > 0 and total_bytes > most_bytes then
    raise exception 'The answer is too large' using errcode = 'KBD04', detail = most_bytes::text;
  end if;
  if most_rows > 0 and total_rows > most_rows then
    raise exception 'The answer embeds too many rows' using errcode = 'KBD05', detail = most_rows::text;
  end if;
  perform set_config('kanbase.list_bytes', total_bytes::text, true), set_config('kanbase.list_rows', total_rows::text, true);
  return true;
end
$$;
grant execute on function data_door.admit_list(bigint, bigint, bigint, bigint) to public;
comment on function data_door.admit_list(bigint, bigint, bigint, bigint) is 'Adds an embedded list to what this transaction has made so far, and ends the statement when that is too much.';
