// Errors that no room owns: they are found before a request reaches one, or after one failed in a way nobody foresaw.

import { declareErrors, errorsOf } from '../errors.ts';

export const httpErrors = declareErrors({
  KB400: {
    status: 400,
    when: 'The bytes are no valid HTTP request, the body can’t be read, or Agent-Session stands where no session works.',
    next: 'Check the body and what sits between client and server; leave out Agent-Session.',
  },
  KB404: {
    status: 404,
    when: 'Nothing is served at this path.',
    next: 'Check method and path; APIs are under /auth/v1 and /rest/v1.',
  },
  KB405: {
    status: 405,
    when: 'This path doesn’t have the method.',
    next: 'Use one that Allow names.',
  },
  KB408: {
    status: 408,
    when: 'A body took longer than HTTP_BODY_TIMEOUT_MS, an upload stalled that long, or it paused while too many others arrived.',
    next: 'Send smaller requests without pauses; check the network.',
  },
  KB413: {
    status: 413,
    when: 'The body is larger than HTTP_BODY_LIMIT.',
    next: 'Send less, or raise it.',
  },
  KB415: {
    status: 415,
    when: 'The path doesn’t read this content type.',
    next: 'Send application/json.',
  },
  KB431: {
    status: 431,
    when: 'Headers and address exceed 64 KB.',
    next: 'Send long filters in a body or several requests.',
  },
  KB500: {
    status: 500,
    when: 'Unforeseen failure.',
    next: 'Report the request id and its lines of the log.',
  },
});

export const httpError = errorsOf(httpErrors);
