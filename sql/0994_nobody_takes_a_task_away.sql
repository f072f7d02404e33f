-- A task that is sent without its project and with another parent went to the parent's project, whoever might write there: the column that is kept was
-- empty when it was asked whether it changes, and filled in afterwards. Beside it what else could be had by asking in an odd way.

-- In functions, the one place that is another now.
do $$
declare
  one record;
  was text;
begin
  for one in
    select * from (values
      -- Left out it is filled in for a new task alone.
      ('private.place_subtask()',
        'if new.project_id is null then
    select t.project_id',
        'if new.project_id is null and tg_op = ''INSERT'' then
    select t.project_id'),
      -- Whoever deletes the row at the same moment is waited for: then it is no upsert of theirs.
      ('private.claim_author()',
        'select exists (select from %I.%I where id = $1 and %I = $2)',
        'select true from %I.%I where id = $1 and %I = $2 for key share'),
      ('private.claim_author()',
        'if not is_theirs then',
        'if is_theirs is not true then'),
      -- A rank that nobody may write, tried by a move, was looked at without end.
      ('private.rank_between(text, text)',
        'loop
    floor_byte',
        'loop
    if bounded and spot > length(high) then
      raise exception using errcode = ''22023'', message = ''no rank lies between these'', hint = ''Ranks are printable ASCII without spaces and do not end in "!".'';
    end if;
    floor_byte'),
      -- Who is in a project, and which number a task has, is told to its members.
      ('private.check_field_default()',
        'new.kind = ''person'' and not',
        'new.kind = ''person'' and exists (select from public.projects p where p.id = new.project_id) and not'),
      ('private.place_new_task()',
        'from public.tasks t where t.id = new.id;',
        'from public.tasks t where t.id = new.id and t.project_id = new.project_id;')
    ) as f (signature, before, after)
  loop
    was := pg_get_functiondef(one.signature::regprocedure);
    if strpos(was, one.before) = 0 then
      raise exception '% is not what it was', one.signature;
    end if;
    execute replace(was, one.before, one.after);
  end loop;
end
$$;

-- What is emptied changes, too.
create or replace trigger tasks_30_refuse_change before update on public.tasks for each row
  when (old.id is distinct from new.id or old.project_id is distinct from new.project_id or old.number is distinct from new.number
    or old.created_by is distinct from new.created_by)
  execute function private.refuse_change('id', 'project_id', 'number', 'created_by');

-- Who may only look locks no task of a column by a change that is refused afterwards.
create or replace trigger workflow_columns_lock before update on public.workflow_columns for each row
  when (old.kind <> new.kind and (
    not row_security_active('public.workflow_columns') or current_user = 'service_role' or private.is_writer(old.project_id)
  ))
  execute function private.lock_changed_column();
