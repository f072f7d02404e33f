// Error codes raised by the database when a rule of projects and tasks refuses a request. The data door passes them on as they are, with status 409,
// or 403 where the caller's role is too low. The rules are in sql/.

import { declareErrors } from './errors.ts';

export const domainErrors = declareErrors({
  KB001: {
    status: 409,
    when: 'A task would be done before one it waits for, in a project that enforces dependencies.',
    next: 'Finish the predecessor first, remove the dependency, or turn enforcement off for the project.',
  },
  KB002: {
    status: 409,
    when: 'A dependency would close a circle: tasks would wait for each other.',
    next: 'Remove one of the dependencies on the way round.',
  },
  KB003: {
    status: 409,
    when: 'The last owner of a project would leave, be removed or lose the role.',
    next: 'Make someone else an owner first, or delete the project.',
  },
  KB004: {
    status: 409,
    when: 'A task is moved next to one that is no longer in the column.',
    next: 'Read the column again and move it to where it belongs now.',
  },
  KB005: {
    status: 409,
    when: 'Someone is invited who is a member already.',
    next: 'Change the role of the member instead.',
  },
  KB006: {
    status: 403,
    when: 'The account uses two-factor authentication, and the session of the token has not passed it.',
    next: 'Answer a challenge of one of its factors, then repeat the request with the new token.',
  },
  KB007: {
    status: 403,
    when: 'The account’s email address is not confirmed. Confirmation by a link from an operator does not suffice to accept an invitation without its own link.',
    next: 'Open the link in the confirmation email or in the invitation, then accept again.',
  },
  KB008: {
    status: 409,
    when: 'A task would become a part of itself: its parent is the task, or stands somewhere below it.',
    next: 'Choose another parent, or move that one out first.',
  },
  KB009: {
    status: 409,
    when: 'A subtask would stand deeper than eight levels.',
    next: 'Choose a parent further up.',
  },
  KB010: {
    status: 409,
    when: 'A task would be done before its subtasks, in a project whose tasks wait for them.',
    next: 'Finish or archive the subtasks first, or turn off `parents_wait_for_subtasks` for the project.',
  },
  KB011: {
    status: 409,
    when: 'A task is moved to a column that needs fields which are empty; `details` names them.',
    next: 'Fill the fields in first, or take them out of `required_fields` of the column.',
  },
  KB012: {
    status: 409,
    when: 'A project would have more than 50 fields of its own.',
    next: 'Delete a field that nobody uses any more.',
  },
  KB013: {
    status: 403,
    when: 'An account is deleted from a session in which who it is was proved more than ten minutes ago; `details` says what is asked for.',
    next: 'Sign in again, or complete two-factor authentication, and repeat the request with the new token.',
  },
  KB014: {
    status: 409,
    when: 'The rule of a recurring task cannot be read, or its time zone is not known; the message says which part.',
    next: 'Send a rule of RFC 5545 in days, for example `FREQ=WEEKLY;BYDAY=MO`, and a time zone like `Europe/Berlin`.',
  },
  KB015: {
    status: 409,
    when: 'A document is saved as a template that nothing could be made of, or a project has more tasks than are taken along; the message says what is wrong.',
    next: 'Mend the part that the message names, or leave tasks out with `with_tasks: false`.',
  },
  KB016: {
    status: 409,
    when: 'A person or a project would have more than 100 templates.',
    next: 'Delete one that nobody uses any more.',
  },
  KB017: {
    status: 409,
    when: 'A row of `apply_changes` names the `version` it was based on, and somebody has changed the row since.',
    next: 'Read the row again, and send the change with the version it has now if it is still wanted.',
  },
});
