-- Whether others see where one is: in which project, at which task, writing a comment. One's own choice; the app keeps to it.

alter table public.profiles add column shows_presence boolean not null default true;
grant insert (shows_presence), update (shows_presence) on public.profiles to authenticated;
comment on column public.profiles.shows_presence is 'Whether the app shows others which project and task this person has open.';
