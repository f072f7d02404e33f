-- A project with its files, in one zip that can be imported: the format `zip`, beside those that were there (0880).

alter table private.exports drop constraint exports_format_known;
alter table private.exports add constraint exports_format_known check (format in ('json', 'zip', 'csv', 'markdown', 'ical'));

create or replace function public.begin_export(format text, project_id uuid default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  if begin_export.format is null or begin_export.format not in ('json', 'zip', 'csv', 'markdown', 'ical') then
    raise exception using errcode = '22023', message = format('there is no export as %s', coalesce(begin_export.format, 'nothing')),
      hint = 'Choose json, zip, csv, markdown or ical.';
  elsif begin_export.project_id is not null and not exists (select from public.projects p where p.id = begin_export.project_id) then
    perform private.raise_not_found('project');
  end if;
  return private.make_export(begin_export.project_id, begin_export.format);
end
$$;

comment on function public.begin_export(text, uuid) is 'Asks for an export of what the caller sees: of a project, or without project_id of all of theirs, as json, zip (the same with its files), csv, markdown or ical. Returns it as my_exports does; asking again while it is written returns the same one.';
