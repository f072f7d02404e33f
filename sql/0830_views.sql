-- A view is more than its filter: layout, grouping, lanes, order, what is shown, and where it stands among the others; it may be of no project,
-- and then spans all of its reader's. Which one opens first is a row of its own, for a person or for everybody in the project.

alter table public.saved_views
  alter column project_id drop not null,
  add column layout text not null default 'board',
  add column "grouping" text,
  add column lanes text,
  add column sort jsonb not null default '[]',
  add column shown jsonb not null default '{}',
  add column position double precision not null default 0,
  add constraint saved_views_project_id_id_key unique (project_id, id),
  add constraint saved_views_layout_is_one check (layout in ('board', 'list', 'calendar', 'timeline', 'dashboard')),
  add constraint saved_views_grouping_is_a_property check ("grouping" ~ '^[a-z_]{1,40}(:[0-9a-f-]{36})?$'),
  add constraint saved_views_lanes_is_a_property check (lanes ~ '^[a-z_]{1,40}(:[0-9a-f-]{36})?$'),
  add constraint saved_views_sort_is_a_list check (jsonb_typeof(sort) = 'array' and octet_length(sort::text) <= 2000),
  add constraint saved_views_shown_is_an_object check (jsonb_typeof(shown) = 'object' and octet_length(shown::text) <= 20000),
  add constraint saved_views_position_is_finite check (position > '-Infinity' and position < 'Infinity');

-- What was kept before was a filter of the board, whose columns are its grouping.
update public.saved_views set "grouping" = 'column';

-- In a project: one's own, and what is shared. Of no project: one's own, and what somebody shares whom one shares a project with.
alter policy read on public.saved_views
  using ((project_id = any (array(select project_id from private.my_memberships)) and (is_shared or owner_id = (select auth.uid())))
    or (project_id is null and (owner_id = (select auth.uid())
      or (is_shared and owner_id = any (array(select user_id from private.my_colleagues))))));
alter policy add on public.saved_views
  with check (owner_id = (select auth.uid())
    and (project_id is null
      or (not is_shared and project_id = any (array(select project_id from private.my_memberships)))
      or project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor')))));
alter policy change on public.saved_views
  using ((project_id = any (array(select project_id from private.my_memberships)) and (is_shared or owner_id = (select auth.uid())))
    or (project_id is null and (owner_id = (select auth.uid())
      or (is_shared and owner_id = any (array(select user_id from private.my_colleagues))))))
  with check (owner_id = (select auth.uid())
    and (project_id is null
      or (not is_shared and project_id = any (array(select project_id from private.my_memberships)))
      or project_id = any (array(select project_id from private.my_memberships where role in ('owner', 'editor')))));
alter policy remove on public.saved_views
  using ((project_id = any (array(select project_id from private.my_memberships)) and (is_shared or owner_id = (select auth.uid())))
    or (project_id is null and (owner_id = (select auth.uid())
      or (is_shared and owner_id = any (array(select user_id from private.my_colleagues))))));

grant insert (layout, "grouping", lanes, sort, shown, position), update (layout, "grouping", lanes, sort, shown, position)
  on public.saved_views to authenticated;

drop trigger saved_views_refuse_change on public.saved_views;
create trigger saved_views_refuse_change before update on public.saved_views for each row
  when (old.id <> new.id or old.project_id is distinct from new.project_id or old.owner_id is distinct from new.owner_id)
  execute function private.refuse_change('id', 'project_id', 'owner_id');

-- A view nobody else can see, or that nobody else may look after, goes with its owner.
create or replace function private.forget_views() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.saved_views v where v.owner_id = old.id and (not v.is_shared or v.project_id is null);
  return old;
end
$$;

comment on table public.saved_views is 'Ways to look that people keep: their own, or shared with the project or, of no project, with the people they share one with.';
comment on column public.saved_views.project_id is 'The project; empty: a view of all projects of whoever looks.';
comment on column public.saved_views.filter is 'Which tasks: {"all": […]} or {"any": […]} of conditions {"property", "is", "value"}; see docs/guides/views.md.';
comment on column public.saved_views.is_shared is 'Whether others see it; sharing in a project needs the editor role.';
comment on column public.saved_views.layout is 'board, list, calendar, timeline or dashboard.';
comment on column public.saved_views.grouping is 'The property by which tasks stand together; empty: they do not.';
comment on column public.saved_views.lanes is 'The property of the lanes across a board; empty: it has none.';
comment on column public.saved_views.sort is 'The order: a list of {"by", "descending"}; empty: that of the board.';
comment on column public.saved_views.shown is 'What the layout shows of a task; an object only clients look into.';
comment on column public.saved_views.position is 'Its place among the views of the project, the lowest first.';

create table public.view_defaults (
  id uuid primary key default private.uuid_v7(),
  project_id uuid not null references public.projects (id) on delete cascade,
  user_id uuid default auth.uid() references public.profiles (id) on delete cascade,
  view_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint view_defaults_one_each unique nulls not distinct (project_id, user_id),
  constraint view_defaults_view_id_fkey foreign key (project_id, view_id) references public.saved_views (project_id, id) on delete cascade
);
create index view_defaults_view_id_idx on public.view_defaults (project_id, view_id);
create index view_defaults_user_id_idx on public.view_defaults (user_id);

alter table public.view_defaults replica identity full;

alter table public.view_defaults enable row level security;

-- One's own, and what owners chose for everybody.
create policy read on public.view_defaults for select to authenticated
  using (project_id = any (array(select project_id from private.my_memberships)) and (user_id is null or user_id = (select auth.uid())));
create policy add on public.view_defaults for insert to authenticated
  with check ((user_id = (select auth.uid()) and project_id = any (array(select project_id from private.my_memberships)))
    or (user_id is null and project_id = any (array(select project_id from private.my_memberships where role = 'owner'))));
create policy change on public.view_defaults for update to authenticated
  using (project_id = any (array(select project_id from private.my_memberships)) and (user_id is null or user_id = (select auth.uid())))
  with check ((user_id = (select auth.uid()) and project_id = any (array(select project_id from private.my_memberships)))
    or (user_id is null and project_id = any (array(select project_id from private.my_memberships where role = 'owner'))));
-- lets every member through: view_defaults_refuse_delete then refuses all but whose it is and owners with 403, where a policy would say nothing
create policy remove on public.view_defaults for delete to authenticated
  using (project_id = any (array(select project_id from private.my_memberships)) and (user_id is null or user_id = (select auth.uid())));
create policy service on public.view_defaults to service_role using (true) with check (true);

grant select on public.view_defaults to anon, authenticated;
grant insert (id, project_id, user_id, view_id, created_at, updated_at),
  update (id, project_id, user_id, view_id, created_at, updated_at), delete
  on public.view_defaults to authenticated;
grant all on public.view_defaults to service_role;

create trigger view_defaults_keep_new before insert on public.view_defaults for each row
  when (new.created_at is distinct from now() or new.updated_at is distinct from now())
  execute function private.keep_times();
create trigger view_defaults_keep before update on public.view_defaults for each row execute function private.keep_times();
create trigger view_defaults_refuse_change before update on public.view_defaults for each row
  when (old.id <> new.id or old.project_id <> new.project_id or old.user_id is distinct from new.user_id)
  execute function private.refuse_change('id', 'project_id', 'user_id');
create trigger view_defaults_refuse_delete before delete on public.view_defaults for each row
  when (row_security_active('public.view_defaults') and current_user <> 'service_role'
    and old.user_id is distinct from auth.uid() and not private.is_owner(old.project_id))
  execute function private.refuse_delete('Only an owner of the project chooses the view it opens with for everybody.');

comment on table public.view_defaults is 'Which view of a project opens first: for one person, or for everybody.';
comment on column public.view_defaults.id is 'Made by the server unless the client sends its own.';
comment on column public.view_defaults.project_id is 'The project.';
comment on column public.view_defaults.user_id is 'For whom; empty: everybody who has chosen none, which owners decide.';
comment on column public.view_defaults.view_id is 'The view, of the same project.';
comment on column public.view_defaults.created_at is 'When the row was made; kept by the database.';
comment on column public.view_defaults.updated_at is 'When the row last changed; kept by the database.';
