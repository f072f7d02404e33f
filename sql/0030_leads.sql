-- People who left their address on the landing page. Only `kanbase_landing` adds and lists them; nothing of it is
-- reachable through the data endpoints.

create schema if not exists private;

do $$
begin
  create role kanbase_landing nologin noinherit;
exception
  when duplicate_object or unique_violation then null; -- roles belong to the cluster, another database may have made it
end
$$;

grant kanbase_landing to current_user;
grant usage on schema private to kanbase_landing;

create table private.leads (
  id bigint generated always as identity primary key,
  email text not null, -- normalised by the server: trimmed, lower case, domain in its ASCII form
  source text, -- what the page says of itself, or where the browser came from
  created_at timestamptz not null default now(),
  constraint leads_email_key unique (email),
  constraint leads_email_length check (char_length(email) between 3 and 254),
  constraint leads_source_length check (char_length(source) <= 500)
);

alter table private.leads enable row level security;
create policy landing_room on private.leads to kanbase_landing using (true) with check (true);

grant select, delete on private.leads to kanbase_landing;
grant insert (email, source) on private.leads to kanbase_landing;
-- No update grant: sending the same address again changes nothing.

-- Mails the operator about a new lead, where they asked for it.
grant execute on function private.queue_mail(text, text, jsonb) to kanbase_landing;

comment on table private.leads is 'Addresses left on the landing page, once each.';
