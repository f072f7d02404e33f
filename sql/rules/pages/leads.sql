-- Leads: email addresses that people left on the landing page, each once.
-- Only `kanbase_landing` adds and lists them; the data endpoints serve none.

-- private.leads
create policy landing_room on private.leads to kanbase_landing using (true) with check (true);
grant select, delete on private.leads to kanbase_landing;
grant insert (email, source) on private.leads to kanbase_landing;
comment on table private.leads is 'Addresses left on the landing page, once each.';
