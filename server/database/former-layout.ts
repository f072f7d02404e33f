// A database made before sql/ had tables and rules, when every change was a file of its own: one that had all of them is taken over as it is.

import { createHash } from 'node:crypto';

/** Of the names of all files there were, in order. */
const namesOfAll = 'a208990898ae29abd3b5b738d703d415029cb3ca5c2bbe5ecfe15d14887f957a';
/** What to start once for a database that had only some of them. */
const lastOfThem = 'e9513086ec';

/** Its tables are those that the files up to this one make; later ones run on it. */
const lastOfItsTables = '0011_admin.sql';

export const isOfFormer = ({ origin, name }: { readonly origin: string; readonly name: string }): boolean =>
  origin === 'kanbase' && name <= lastOfItsTables;

/** Functions of then, of `private` and `auth`, that no file declares under this name any more. */
const formerFunctions = `
  assign_awaited begin_project bring_project_back carry_fields carry_tasks claim_desk crash_import_job desk_account desk_accounts
  desk_backups desk_caller desk_change_setting desk_database desk_delete desk_disable desk_end_sessions desk_enter desk_files desk_jobs
  desk_leave desk_log_page desk_mail desk_mails desk_me desk_outline desk_pass_on desk_project desk_projects desk_requests
  desk_reset_factors desk_restore desk_send_again desk_subject desk_subject_project desk_test_mail desk_withdraw_transfer
  end_sessions_of_outcasts fields_in_words first_day_of foresee_end_of foresee_my_end forget_options forget_proxy forget_push_subscription
  forget_views found_project free_import_job give_point grant_unsubscribing has_shown_mailbox hold_attachment hold_import_job hold_member
  hold_outline is_let_in is_put_aside is_there keep_account keep_an_owner keep_push_subscription keep_to_member_limit keep_to_project_limit
  last_rank leave_export leave_import_job let_go_of_project let_in let_service_role_see_all list_proxies list_untrusted_proxies
  look_for_point looks_into misfit misfit_in move_together name_options note_at_desk note_desk note_job_round notify_at_once note_proxy
  note_untrusted_proxy plan_again problem_of_ties project_of_document proof_of_me publish_touched_tables put_members_aside record_carried
  refilled require_kept_owner require_no_more say_export say_transfer send_posted_invitation settle_file_copy settle_push settle_push_keys
  take_brought_identity take_brought_user take_members_back take_point take_push_deliveries take_subtasks_along take_up_again task_as_said
  task_in_words tell_export tell_import_jobs tell_of_completed tell_of_failed_backup tell_of_transfer tell_owners times_of who_unsubscribes
  without_values write_my_data`;
/** Of names that others go by, too. */
const formerOverloads = "'private.fill_project(uuid,jsonb,date)', 'private.members_of(uuid[])'";

/** Notes them and their triggers in the ledger of rules, so that they are dropped when the rules are applied. */
export const noteFormerRules = `
  insert into private.rules (kind, name, own, checksum, file)
  with gone as (
    select p.oid from pg_catalog.pg_proc p
    where p.pronamespace in ('auth'::regnamespace, 'private'::regnamespace) and p.proname = any ('{${formerFunctions.trim().split(/\s+/).join(', ')}}')
      or p.oid::regprocedure::text in (${formerOverloads})
  )
  select 'function', g.oid::regprocedure::text, '', '', 'former' from gone g
  union all
  select 'trigger', n.nspname || '.' || c.relname, t.tgname, '', 'former'
  from gone g
  join pg_catalog.pg_trigger t on t.tgfoid = g.oid
  join pg_catalog.pg_class c on c.oid = t.tgrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace`;

export const isFormer = (names: readonly string[]): boolean =>
  createHash('sha256')
    .update([...names].sort().join('\n'))
    .digest('hex') === namesOfAll;

export const describeFormer = (name: string): string =>
  `The database was made by a version in development (it has ${name}, and not all that followed): start commit ${lastOfThem} on it once, then this version.`;
