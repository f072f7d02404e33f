-- Public links to a saved view: what it selects as it was when its owner shared it, so that nobody who may change the view decides what is public.
-- And links that show files, where their options say so.

alter table public.share_links
  add column view_id uuid references public.saved_views (id) on delete cascade,
  add column view jsonb,
  drop constraint share_links_scope_known,
  add constraint share_links_scope_known check (scope in ('project', 'task', 'view')),
  add constraint share_links_view_of_scope check ((scope = 'view') = (view_id is not null) and (scope = 'view') = (view is not null)),
  drop constraint share_links_options_are_flags,
  add constraint share_links_options_are_flags check (
    jsonb_typeof(options -> 'names') = 'boolean' and jsonb_typeof(options -> 'comments') = 'boolean'
      and coalesce(jsonb_typeof(options -> 'files'), 'boolean') = 'boolean' and options - '{names,comments,files}'::text[] = '{}'
  );
grant usage on schema storage to share_link;
create index share_links_view_id_idx on public.share_links (view_id) where view_id is not null;

-- They take a view, too.
drop function if exists public.create_share_link(uuid, uuid, integer, text, jsonb);
drop function if exists private.issue_share_link(uuid, uuid, integer, text, jsonb);
