-- Imports note the people whom they added to the project, so that undo removes them.

alter table private.import_changes drop constraint import_changes_kind_known;
alter table private.import_changes add constraint import_changes_kind_known check (
  kind in ('task', 'comment', 'item', 'column', 'label', 'label_link', 'assignee', 'dependency', 'invitation', 'attachment', 'member')
);
