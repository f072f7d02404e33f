// Errors of /api/webhooks.

import { declareErrors, errorsOf } from '../errors.ts';

export const webhookErrors = declareErrors({
  KB871: {
    status: 401,
    when: 'No token of a signed-in person.',
    next: 'Sign in, send the access token as Authorization.',
  },
  KB872: { status: 400, when: 'A field of the webhook doesn’t fit; the message says which.', next: 'Correct it.' },
  KB873: { status: 404, when: 'No such project or webhook, or the caller doesn’t see it.', next: 'Look at the id.' },
  KB874: { status: 403, when: 'The caller is no owner of the project.', next: 'Ask an owner.' },
});

export const webhookError = errorsOf(webhookErrors);
