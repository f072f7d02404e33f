-- How a statement of the data door takes back a result that must not stand: it calls this, the error undoes the
-- transaction in the same round trip, and the SQLSTATE says which rule it was, in whatever language Postgres speaks.
-- A schema of its own, since whoever a token names runs these statements: open to all, with nothing else in it.

create schema data_door;
comment on schema data_door is 'What the statements of /rest/v1 call themselves. Never served, and open to every role a token may name.';
grant usage on schema data_door to public;

-- KBD01: not exactly one row; KBD02: more rows than allowed; KBD03: an answer too long to be held in memory.
-- Volatile, so that it is called where the statement says, and nowhere before.
create function data_door.refuse_result(reason text, row_count bigint) returns integer
language plpgsql volatile parallel safe set search_path = '' as $$
begin
  raise exception 'The result was refused' using errcode = reason, detail = row_count::text;
end
$$;
comment on function data_door.refuse_result(text, bigint) is 'Ends the statement with that SQLSTATE; the number of rows goes into the details.';
grant execute on function data_door.refuse_result(text, bigint) to public;
