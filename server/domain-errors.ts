// Error codes raised by the database when a rule of projects and tasks refuses a request. The data door passes them on as they are, with status 409,
// or 403 where the caller's role is too low. The rules are in sql/.

import { declareErrors } from './errors.ts';

export const domainErrors = declareErrors({
  KB001: {
    status: 409,
    when: 'A task would be done before one it waits for (the project enforces dependencies).',
    next: 'Finish that one, remove the dependency, or turn enforcement off.',
  },
  KB002: {
    status: 409,
    when: 'A dependency would close a circle.',
    next: 'Remove one on the way round.',
  },
  KB003: {
    status: 409,
    when: 'The last owner would leave or lose the role.',
    next: 'Make another owner first, or delete the project.',
  },
  KB004: {
    status: 409,
    when: 'The neighbour of a moved task has left the column.',
    next: 'Read the column, move again.',
  },
  KB005: {
    status: 409,
    when: 'Someone invited is a member already.',
    next: 'Change their role instead.',
  },
  KB006: {
    status: 403,
    when: 'The session has not passed the account’s two-factor authentication.',
    next: 'Answer a challenge, repeat with the new token.',
  },
  KB007: {
    status: 403,
    when: 'The accepting account’s address is unconfirmed, or only an operator’s link confirmed it and the invitation’s link is missing.',
    next: 'Open the confirmation or invitation link, accept again.',
  },
  KB008: {
    status: 409,
    when: 'A task would become a part of itself.',
    next: 'Choose another parent, or move that one out first.',
  },
  KB009: {
    status: 409,
    when: 'A subtask would stand deeper than eight levels.',
    next: 'Choose a higher parent.',
  },
  KB010: {
    status: 409,
    when: 'A task would be done before its subtasks (the project has `parents_wait_for_subtasks`).',
    next: 'Finish or archive them, or turn that off.',
  },
  KB011: {
    status: 409,
    when: 'The column needs fields that are empty; `details` names them.',
    next: 'Fill them in, or change the column’s `required_fields`.',
  },
  KB012: {
    status: 409,
    when: 'A project would have over 50 fields of its own.',
    next: 'Delete one.',
  },
  KB013: {
    status: 403,
    when: 'Deleting an account needs identity proved within ten minutes; `details` says by what.',
    next: 'Sign in again or answer a challenge; repeat with the new token.',
  },
  KB014: {
    status: 409,
    when: 'A recurrence rule or time zone can’t be read; the message says which part.',
    next: 'Send a rule of RFC 5545 in days (`FREQ=WEEKLY;BYDAY=MO`) and a zone like `Europe/Berlin`.',
  },
  KB015: {
    status: 409,
    when: 'A template’s document is unusable, or the project has too many tasks; the message says what.',
    next: 'Mend that, or send `with_tasks: false`.',
  },
  KB016: {
    status: 409,
    when: 'A person or project would have over 100 templates.',
    next: 'Delete one.',
  },
  KB017: {
    status: 409,
    when: 'A row of `apply_changes` changed since the `version` it names.',
    next: 'Read it again; send the change with its new version if still wanted.',
  },
  KB018: {
    status: 409,
    when: 'A comment would have over 20 different reactions.',
    next: 'React with one of those.',
  },
  KB019: {
    status: 409,
    when: 'A join link is not open; `details` says why: revoked, expired or archived.',
    next: 'Ask an owner for a new one.',
  },
  KB020: {
    status: 409,
    when: 'A group has this name already, or brings the person into the project who would leave it alone.',
    next: 'Choose another name, or change the group.',
  },
  KB021: {
    status: 409,
    when: 'A restricted task would depend on one outside, a subtask be restricted alone, or the caller lose sight of it.',
    next: 'Restrict the uppermost task; name yourself in `task_grants` first.',
  },
  KB022: {
    status: 409,
    when: 'The claim has ended; `details` says why.',
    next: 'Stop working on that task; claim one with `claim_next_task`.',
  },
  KB023: {
    status: 409,
    when: 'The session of the agent has ended; `details` says why.',
    next: 'Stop working, or open another one with `open_agent_session`.',
  },
  KB024: {
    status: 429,
    when: 'As many rows were changed within an hour as the sessions of this account may change.',
    next: 'Continue later, or ask a person to raise the limit of the agent.',
  },
  KB025: {
    status: 409,
    when: 'A session in mode propose would change files, personal rows, or several projects or restricted tasks at once.',
    next: 'Make it several calls, or leave it to a person.',
  },
  KB026: {
    status: 409,
    when: 'The session has read words of people from outside the team, and would add a link.',
    next: 'Leave the address out, or ask the person responsible to confirm the session.',
  },
});
