-- Rows that hold words of people from outside a project's team: guests, and whoever wrote what was imported.

create table private.outside_words (
  row_id uuid primary key,
  -- false: something under the task does, and its history tells of it
  is_own boolean not null
);
alter table private.outside_words enable row level security;
