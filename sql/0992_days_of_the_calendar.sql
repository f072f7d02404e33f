-- Days are those that calendars write: nothing is due at infinity, before our era or after the year 9999. At one such day the feeds and exports of
-- everybody who saw the task ended, and so did the screens that showed it.
update public.tasks set start_date = null where start_date not between '0001-01-01' and '9999-12-30';
update public.tasks set due_date = null where due_date not between '0001-01-01' and '9999-12-30';
delete from public.task_recurrences where starts_on not between '0001-01-01' and '9999-12-30';

alter table public.tasks add constraint tasks_start_of_the_calendar check (start_date between '0001-01-01' and '9999-12-30') not valid;
alter table public.tasks add constraint tasks_due_of_the_calendar check (due_date between '0001-01-01' and '9999-12-30') not valid;
alter table public.task_recurrences add constraint task_recurrences_start_of_the_calendar
  check (starts_on between '0001-01-01' and '9999-12-30') not valid;
