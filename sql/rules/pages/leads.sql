-- HEAD of 0030
-- People who left their address on the landing page. Only `kanbase_landing` adds and lists them; nothing of it is
-- reachable through the data endpoints.

-- private.leads

create policy landing_room on private.leads to kanbase_landing using (true) with check (true);

grant select, delete on private.leads to kanbase_landing;
grant insert (email, source) on private.leads to kanbase_landing;
comment on table private.leads is 'Addresses left on the landing page, once each.';
