-- Triggers of one kind fire in the order of their names. Those of public.tasks say theirs by a number: what each one does stands at
-- the top of 0150_tasks.sql, and what moving a task sets off in docs/guides/moving-a-task.md.

alter trigger tasks_claim_author on public.tasks rename to tasks_10_claim_author;
alter trigger tasks_keep on public.tasks rename to tasks_20_keep;
alter trigger tasks_refuse_change on public.tasks rename to tasks_30_refuse_change;
alter trigger tasks_refuse_delete on public.tasks rename to tasks_40_refuse_delete;
alter trigger tasks_place_new on public.tasks rename to tasks_50_place_new;
alter trigger tasks_place_moved on public.tasks rename to tasks_50_place_moved;
alter trigger tasks_z_count_deleted on public.tasks rename to tasks_60_count_deleted;

alter trigger tasks_record on public.tasks rename to tasks_70_record;
alter trigger tasks_record_change on public.tasks rename to tasks_70_record_change;
alter trigger tasks_notify on public.tasks rename to tasks_75_notify;
alter trigger tasks_notify_change on public.tasks rename to tasks_75_notify_change;
alter trigger tasks_index on public.tasks rename to tasks_80_index;
alter trigger tasks_index_change on public.tasks rename to tasks_80_index_change;
alter trigger tasks_spread_ranks on public.tasks rename to tasks_85_spread_ranks;

alter trigger tasks_count_new on public.tasks rename to tasks_90_count_new;
alter trigger tasks_count_changed on public.tasks rename to tasks_90_count_changed;
