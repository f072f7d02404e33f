-- In a transaction of its own, beside which people go on working.
alter table public.tasks validate constraint tasks_start_of_the_calendar;
alter table public.tasks validate constraint tasks_due_of_the_calendar;
alter table public.task_recurrences validate constraint task_recurrences_start_of_the_calendar;
