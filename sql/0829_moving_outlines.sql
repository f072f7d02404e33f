-- Subtasks follow their parent to another project (0781_move_tasks_to_project.sql), by their key.

alter table public.tasks drop constraint tasks_parent_of_same_project,
  add constraint tasks_parent_of_same_project foreign key (project_id, parent_id)
    references public.tasks (project_id, id) on delete cascade on update cascade;
