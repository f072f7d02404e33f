-- Somebody's tasks come page by page in the order of their ids. Read from here they are in that order already, and Postgres stops at the end of
-- the page: fifty of sixty-six thousand cost what fifty of fifty cost. The project stands in it for the policy, so that the table is not opened.
create index task_assignees_user_id_task_id_idx on public.task_assignees (user_id, task_id) include (project_id);
