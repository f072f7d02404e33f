-- Leads: email addresses that people left on the landing page, each once.
-- Only `kanbase_landing` adds and lists them; the data endpoints serve none.

select private.room_rows('private.leads', 'kanbase_landing', 'select, delete');
grant insert (email, source) on private.leads to kanbase_landing;
comment on table private.leads is 'Addresses left on the landing page, once each.';
