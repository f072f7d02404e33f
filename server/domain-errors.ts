// Codes that the database raises when a rule of projects and tasks says no. They reach clients through the data door
// as they are, with status 409, or 403 where the caller is not far enough; the rules themselves stand in sql/.

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
    when: 'A task is moved next to one that has left the column meanwhile.',
    next: 'Read the column again and move it to where it belongs now.',
  },
  KB005: {
    status: 409,
    when: 'Someone is invited who is a member already.',
    next: 'Change the role of the member instead.',
  },
  KB006: {
    status: 403,
    when: 'The account has a second factor, and the session of the token has not used it.',
    next: 'Answer a challenge of the second factor, then repeat the request with the new token.',
  },
  KB007: {
    status: 403,
    when: 'An invitation is accepted by an account whose e-mail address is not confirmed.',
    next: 'Open the link in the confirmation mail, then accept again.',
  },
});
