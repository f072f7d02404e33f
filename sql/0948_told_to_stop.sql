-- Whoever writes an import is told at once when its owner stops it.

create trigger import_jobs_tell_cancelled after update of is_cancelled on private.import_jobs for each row
  when (new.is_cancelled and not old.is_cancelled and new.state = 'running') execute function private.tell_import_jobs();
