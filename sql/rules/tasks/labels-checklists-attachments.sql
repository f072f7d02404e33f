-- Labels, checklist items and attachments of a task. The bytes of an attachment are in the bucket "attachments" under object_path; its row
-- describes them (functions: files/attachments.sql).

select private.project_rows('public.task_labels', writes => '{id, project_id, name, color}', fixed => '{id, project_id}', guests => 'read');
comment on table public.task_labels is 'Labels of a project; names are unique in it, letter case aside.';
comment on column public.task_labels.name is 'Up to 100 characters.';
comment on column public.task_labels.color is 'As #rrggbb.';

select private.project_rows('public.task_label_links', writes => '{id, project_id, task_id, label_id}', keeps => 'created_at',
  fixed => '{id, project_id, task_id, label_id}', fills_project => true, guests => 'write');
comment on table public.task_label_links is 'Which task wears which label.';
comment on column public.task_label_links.label_id is 'The label.';

create or replace trigger task_label_links_record after insert or delete on public.task_label_links for each row
  execute function private.record_label_link();

select private.project_rows('public.task_checklist_items', writes => '{id, project_id, task_id, title, is_done, position}',
  fixed => '{id, project_id, task_id}', fills_project => true, guests => 'write');
comment on table public.task_checklist_items is 'The small steps of a task, sorted by position.';
comment on column public.task_checklist_items.title is 'Up to 500 characters.';
comment on column public.task_checklist_items.is_done is 'Ticked off.';
comment on column public.task_checklist_items.position is 'Top to bottom; fractions are welcome. Left out: at the end.';

create or replace trigger task_checklist_items_place before insert on public.task_checklist_items for each row
  when (new.position is null) execute function private.place_checklist_item();
create or replace trigger task_checklist_items_record after insert or delete on public.task_checklist_items for each row
  execute function private.record_checklist_item();
create or replace trigger task_checklist_items_record_change after update on public.task_checklist_items for each row
  when (old.title <> new.title or old.is_done <> new.is_done) execute function private.record_checklist_item();

select private.project_rows('public.task_attachments',
  writes => '{id, project_id, task_id, name, content_type, size_bytes, object_path, uploaded_by}',
  fixed => '{id, project_id, task_id, object_path, uploaded_by}', author => 'uploaded_by', fills_project => true, guests => 'write');
comment on table public.task_attachments is 'What is attached to a task. The bytes are in the bucket "attachments" under object_path.';
comment on column public.task_attachments.name is 'What the file is called.';
comment on column public.task_attachments.content_type is 'Its media type.';
comment on column public.task_attachments.size_bytes is 'Its size.';
comment on column public.task_attachments.object_path is '<project_id>/<task_id>/… in the bucket. Cannot be changed. The file goes with the row, once the time to undo is over.';
comment on column public.task_attachments.uploaded_by is 'Who attached it; empty once their account is gone.';

create or replace trigger task_attachments_follow before update of project_id on public.task_attachments for each row
  when (old.project_id <> new.project_id) execute function private.follow_attachment();
create or replace trigger task_attachments_record after insert or delete on public.task_attachments for each row
  execute function private.record_attachment();
create or replace trigger task_attachments_record_change after update on public.task_attachments for each row
  when (old.name <> new.name) execute function private.record_attachment();
create or replace trigger task_attachments_remove_files after delete on public.task_attachments referencing old table as gone for each statement
  execute function private.remove_detached_files();

-- An item without a position goes to the end.
create or replace function private.place_checklist_item() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  select coalesce(max(i.position), 0) + 1 into new.position
  from public.task_checklist_items i
  where i.project_id = new.project_id and i.task_id = new.task_id;
  return new;
end
$$;
