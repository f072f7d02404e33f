-- Work of each person on all nodes together, in milliseconds (server/limits/budget.ts). Losing it in a crash gives everybody a fresh budget,
-- so it is not logged.

create unlogged table private.work_budgets (
  person text primary key,
  spent double precision not null,
  charged_at timestamptz not null
);

create index work_budgets_charged_at_idx on private.work_budgets (charged_at);

alter table private.work_budgets enable row level security;
revoke all on private.work_budgets from public;
-- No grants and no policies: only charge_budgets touches it.

-- Adds what people used since a node told last; answers what each has used on all nodes. `refill`: milliseconds that come back each millisecond.
create function private.charge_budgets(charges jsonb, refill double precision)
returns table (person text, spent double precision)
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  now_at constant timestamptz := clock_timestamp();
begin
  if random() < 0.01 then
    delete from private.work_budgets b where b.charged_at < now_at - interval '1 hour';
  end if;
  return query
    insert into private.work_budgets as b (person, spent, charged_at)
    -- in one order, so that two nodes never wait for each other
    select c.key, c.value::double precision, now_at from jsonb_each_text(charges) c order by c.key
    on conflict (person) do update set
      spent = greatest(0, b.spent - greatest(extract(epoch from now_at - b.charged_at), 0) * 1000 * refill) + excluded.spent,
      charged_at = now_at
    returning b.person, b.spent;
end
$$;
revoke all on function private.charge_budgets(jsonb, double precision) from public;
grant execute on function private.charge_budgets(jsonb, double precision) to kanbase_limits;

comment on table private.work_budgets is 'Milliseconds of work each person used, shared by the nodes.';
comment on function private.charge_budgets(jsonb, double precision) is 'Adds charges by person; answers what each has used on all nodes.';
