-- Labels, checklist items and attachments of a task. The bytes of an attachment are in the bucket "attachments" under object_path; its row
-- describes them (functions: files/attachments.sql).

-- public.task_labels
select private.rows_of_a_project('public.task_labels');

grant all on public.task_labels to service_role;
grant select on public.task_labels to anon;
grant select, delete, insert (id, project_id, name, color, created_at, updated_at, version), update (id, project_id, name, color, created_at, updated_at, version)
  on public.task_labels to authenticated;
comment on table public.task_labels is 'Labels of a project; names are unique in it, letter case aside.';
comment on column public.task_labels.name is 'Up to 100 characters.';
comment on column public.task_labels.color is 'As #rrggbb.';

create or replace trigger task_labels_refuse_change before update on public.task_labels for each row
  when (old.id <> new.id or old.project_id <> new.project_id) execute function private.refuse_change('id', 'project_id');

-- public.task_label_links
select private.rows_of_a_project('public.task_label_links', keeps => 'created_at');

grant all on public.task_label_links to service_role;
grant select on public.task_label_links to anon;
grant select, delete, insert (id, project_id, task_id, label_id, created_at, version), update (id, project_id, task_id, label_id, created_at, version)
  on public.task_label_links to authenticated;
comment on table public.task_label_links is 'Which task wears which label.';
comment on column public.task_label_links.project_id is 'The project; filled from the task when left out.';
comment on column public.task_label_links.label_id is 'The label.';

create or replace trigger task_label_links_fill_project before insert on public.task_label_links for each row
  when (new.project_id is null) execute function private.fill_project();
create or replace trigger task_label_links_refuse_change before update on public.task_label_links for each row
  when (old.id <> new.id or old.project_id <> new.project_id or old.task_id <> new.task_id or old.label_id <> new.label_id)
  execute function private.refuse_change('id', 'project_id', 'task_id', 'label_id');
create or replace trigger task_label_links_record after insert or delete on public.task_label_links for each row
  execute function private.record_label_link();

-- public.task_checklist_items
select private.rows_of_a_project('public.task_checklist_items');

grant all on public.task_checklist_items to service_role;
grant select on public.task_checklist_items to anon;
grant select, delete,
  insert (id, project_id, task_id, title, is_done, position, created_at, updated_at, version),
  update (id, project_id, task_id, title, is_done, position, created_at, updated_at, version)
  on public.task_checklist_items to authenticated;
comment on table public.task_checklist_items is 'The small steps of a task, sorted by position.';
comment on column public.task_checklist_items.project_id is 'The project; filled from the task when left out.';
comment on column public.task_checklist_items.title is 'Up to 500 characters.';
comment on column public.task_checklist_items.is_done is 'Ticked off.';
comment on column public.task_checklist_items.position is 'Top to bottom; fractions are welcome. Left out: at the end.';

create or replace trigger task_checklist_items_fill_project before insert on public.task_checklist_items for each row
  when (new.project_id is null) execute function private.fill_project();
create or replace trigger task_checklist_items_place before insert on public.task_checklist_items for each row
  when (new.position is null) execute function private.place_checklist_item();
create or replace trigger task_checklist_items_refuse_change before update on public.task_checklist_items for each row
  when (old.id <> new.id or old.project_id <> new.project_id or old.task_id <> new.task_id)
  execute function private.refuse_change('id', 'project_id', 'task_id');
create or replace trigger task_checklist_items_record after insert or delete on public.task_checklist_items for each row
  execute function private.record_checklist_item();
create or replace trigger task_checklist_items_record_change after update on public.task_checklist_items for each row
  when (old.title <> new.title or old.is_done <> new.is_done) execute function private.record_checklist_item();

-- public.task_attachments
select private.rows_of_a_project('public.task_attachments');

grant all on public.task_attachments to service_role;
grant select on public.task_attachments to anon;
grant select, delete,
  insert (id, project_id, task_id, name, content_type, size_bytes, object_path, uploaded_by, created_at, updated_at, version),
  update (id, project_id, task_id, name, content_type, size_bytes, object_path, uploaded_by, created_at, updated_at, version)
  on public.task_attachments to authenticated;
comment on table public.task_attachments is 'What is attached to a task. The bytes are in the bucket "attachments" under object_path.';
comment on column public.task_attachments.project_id is 'The project; filled from the task when left out.';
comment on column public.task_attachments.name is 'What the file is called.';
comment on column public.task_attachments.content_type is 'Its media type.';
comment on column public.task_attachments.size_bytes is 'Its size.';
comment on column public.task_attachments.object_path is '<project_id>/<task_id>/… in the bucket. Cannot be changed. The file goes with the row, once the time to undo is over.';
comment on column public.task_attachments.uploaded_by is 'Who attached it; empty once their account is gone.';

create or replace trigger task_attachments_claim_author before insert on public.task_attachments for each row
  when (new.uploaded_by is distinct from auth.uid()) execute function private.claim_author('uploaded_by');
create or replace trigger task_attachments_fill_project before insert on public.task_attachments for each row
  when (new.project_id is null) execute function private.fill_project();
create or replace trigger task_attachments_follow before update of project_id on public.task_attachments for each row
  when (old.project_id <> new.project_id) execute function private.follow_attachment();
create or replace trigger task_attachments_refuse_change before update on public.task_attachments for each row
  when (old.id <> new.id or old.project_id <> new.project_id or old.task_id <> new.task_id or old.object_path <> new.object_path
    or old.uploaded_by is distinct from new.uploaded_by)
  execute function private.refuse_change('id', 'project_id', 'task_id', 'object_path', 'uploaded_by');
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
