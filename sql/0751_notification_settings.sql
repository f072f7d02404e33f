-- What each person wants to hear of, and by which way: a row for a kind in one project goes before a row for all projects, and that
-- before what holds for everybody.

-- Kinds of notifications, the weightiest first, and what holds for who has said nothing. An invitation has a mail of its own.
create function public.notification_kinds() returns table (kind text, weight integer, inbox boolean, mail text, push boolean)
language sql immutable parallel safe rows 10
begin atomic
  values
    ('mentioned', 10, true, 'now', true),
    ('assigned', 9, true, 'now', true),
    ('commented', 8, true, 'now', true),
    ('unblocked', 7, true, 'now', true),
    ('unassigned', 6, true, 'daily', false),
    ('state_changed', 5, true, 'daily', false),
    ('overdue', 4, true, 'daily', true),
    ('due_soon', 3, true, 'daily', true),
    ('added', 2, true, 'now', true),
    ('invited', 1, true, 'off', true);
end;
grant execute on function public.notification_kinds() to authenticated, service_role;

create table public.notification_settings (
  id uuid primary key default private.uuid_v7(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  project_id uuid references public.projects (id) on delete cascade,
  kind text not null,
  inbox boolean not null default true,
  mail text not null default 'daily',
  push boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint notification_settings_one_per_kind unique nulls not distinct (user_id, kind, project_id),
  constraint notification_settings_kind_known check (kind in (
    'mentioned', 'assigned', 'commented', 'unblocked', 'unassigned', 'state_changed', 'overdue', 'due_soon', 'added', 'invited'
  )),
  constraint notification_settings_mail_known check (mail in ('now', 'daily', 'off'))
);
create index notification_settings_project_id_idx on public.notification_settings (project_id);

alter table public.notification_settings enable row level security;

create policy read_own on public.notification_settings for select to authenticated
  using (user_id = (select user_id from private.caller));
create policy add_own on public.notification_settings for insert to authenticated
  with check (user_id = (select user_id from private.caller)
    and (project_id is null or project_id = any (array(select project_id from private.my_memberships))));
create policy change_own on public.notification_settings for update to authenticated
  using (user_id = (select user_id from private.caller)) with check (user_id = (select user_id from private.caller));
create policy remove_own on public.notification_settings for delete to authenticated
  using (user_id = (select user_id from private.caller));
create policy service on public.notification_settings to service_role using (true) with check (true);

grant select on public.notification_settings to anon, authenticated;
grant insert (id, user_id, project_id, kind, inbox, mail, push, created_at, updated_at),
  update (id, user_id, project_id, kind, inbox, mail, push, created_at, updated_at), delete
  on public.notification_settings to authenticated;
grant all on public.notification_settings to service_role;

create trigger notification_settings_keep_new before insert on public.notification_settings for each row
  when (new.created_at is distinct from now() or new.updated_at is distinct from now())
  execute function private.keep_times();
create trigger notification_settings_keep before update on public.notification_settings for each row execute function private.keep_times();
create trigger notification_settings_refuse_change before update on public.notification_settings for each row
  when (old.id <> new.id or old.user_id <> new.user_id or old.kind <> new.kind or old.project_id is distinct from new.project_id)
  execute function private.refuse_change('id', 'user_id', 'kind', 'project_id');

-- One row; written into the statement that asks.
create function private.notification_choice(of_user uuid, in_project uuid, of_kind text)
returns table (inbox boolean, mail text, push boolean)
language sql stable rows 1
begin atomic
  select coalesce(here.inbox, everywhere.inbox, k.inbox), coalesce(here.mail, everywhere.mail, k.mail), coalesce(here.push, everywhere.push, k.push)
  from public.notification_kinds() k
  left join public.notification_settings here on here.user_id = of_user and here.project_id = in_project and here.kind = k.kind
  left join public.notification_settings everywhere
    on everywhere.user_id = of_user and everywhere.project_id is null and everywhere.kind = k.kind
  where k.kind = of_kind;
end;

-- When somebody's day is, for what is due and for the daily mail.
create table public.notification_schedules (
  user_id uuid primary key default auth.uid() references auth.users (id) on delete cascade,
  time_zone text not null default 'UTC',
  daily_hour smallint not null default 8,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint notification_schedules_daily_hour_of_day check (daily_hour between 0 and 23)
);

alter table public.notification_schedules enable row level security;

create policy read_own on public.notification_schedules for select to authenticated
  using (user_id = (select user_id from private.caller));
create policy add_own on public.notification_schedules for insert to authenticated
  with check (user_id = (select user_id from private.caller));
create policy change_own on public.notification_schedules for update to authenticated
  using (user_id = (select user_id from private.caller)) with check (user_id = (select user_id from private.caller));
create policy remove_own on public.notification_schedules for delete to authenticated
  using (user_id = (select user_id from private.caller));
create policy service on public.notification_schedules to service_role using (true) with check (true);

grant select on public.notification_schedules to anon, authenticated;
grant insert (user_id, time_zone, daily_hour, created_at, updated_at),
  update (user_id, time_zone, daily_hour, created_at, updated_at), delete
  on public.notification_schedules to authenticated;
grant all on public.notification_schedules to service_role;

create trigger notification_schedules_keep_new before insert on public.notification_schedules for each row
  when (new.created_at is distinct from now() or new.updated_at is distinct from now())
  execute function private.keep_times();
create trigger notification_schedules_keep before update on public.notification_schedules for each row execute function private.keep_times();
create trigger notification_schedules_refuse_change before update on public.notification_schedules for each row
  when (old.user_id <> new.user_id) execute function private.refuse_change('user_id');

-- A zone that Postgres does not know would fail whatever reckons with it later.
create function private.require_time_zone() returns trigger
language plpgsql stable set search_path = '' as $$
begin
  perform now() at time zone new.time_zone;
  return new;
exception when invalid_parameter_value then
  raise exception using
    errcode = '22023',
    message = format('there is no time zone %s', quote_literal(new.time_zone)),
    hint = 'Name one as the IANA database does, for example Europe/Berlin.';
end
$$;
create trigger notification_schedules_require_time_zone before insert or update of time_zone on public.notification_schedules
  for each row execute function private.require_time_zone();

comment on function public.notification_kinds() is 'The kinds of notifications, the weightiest first, and what holds for who has no notification_settings of the kind.';
comment on function private.notification_choice(uuid, uuid, text) is 'What somebody wants of a kind in a project.';
comment on table public.notification_settings is 'What a person wants to hear of and by which way. A row of a project goes before one of all projects; without either notification_kinds() holds. Own rows only.';
comment on column public.notification_settings.id is 'Made by the server unless the client sends its own.';
comment on column public.notification_settings.user_id is 'Whose: the caller.';
comment on column public.notification_settings.project_id is 'The project; empty: all.';
comment on column public.notification_settings.kind is 'The kind, as in notifications.';
comment on column public.notification_settings.inbox is 'Whether it is in the inbox.';
comment on column public.notification_settings.mail is 'now: within minutes; daily: in the daily mail; off.';
comment on column public.notification_settings.push is 'Whether it is sent to the browsers that take push messages.';
comment on column public.notification_settings.created_at is 'When the row was made; kept by the database.';
comment on column public.notification_settings.updated_at is 'When the row last changed; kept by the database.';
comment on table public.notification_schedules is 'When a person''s day is: for what is due, and for the daily mail. Own row only.';
comment on column public.notification_schedules.user_id is 'Whose: the caller.';
comment on column public.notification_schedules.time_zone is 'As the IANA database names it, for example Europe/Berlin.';
comment on column public.notification_schedules.daily_hour is 'The hour of the daily mail, 0 to 23, by that zone.';
comment on column public.notification_schedules.created_at is 'When the row was made; kept by the database.';
comment on column public.notification_schedules.updated_at is 'When the row last changed; kept by the database.';
