-- Favorite views: saved views, one's own or shared ones, that a person has in the sidebar. A favorite stays when its view goes out of sight,
-- and counts again when the view comes back.

select private.served_rows('public.favorite_views', writes => '{user_id, view_id, position}', own => '{read, change, remove}',
  fixed => '{user_id, view_id}');

-- The policies of saved_views decide which views there are.
create policy add_own on public.favorite_views for insert to authenticated
  with check (user_id = (select user_id from private.caller) and exists (select from public.saved_views v where v.id = favorite_views.view_id));

comment on table public.favorite_views is 'Saved views in a person''s sidebar. Own rows only.';
comment on column public.favorite_views.user_id is 'Whose favorite it is; the caller.';
comment on column public.favorite_views.view_id is 'A view that the caller sees. The row stays when they no longer do.';
comment on column public.favorite_views.position is 'Its place among the person''s favorites, the lowest first.';
