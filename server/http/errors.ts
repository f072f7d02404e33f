// Errors that no room owns: they are found before a request reaches one, or after one failed in a way nobody foresaw.

import { CatalogError, declareErrors, type ErrorWords } from '../errors.ts';

export const httpErrors = declareErrors({
  KB400: {
    status: 400,
    when: 'The bytes sent are no valid HTTP request, or its body cannot be read.',
    next: 'Check the body and what sits between client and server.',
  },
  KB404: {
    status: 404,
    when: 'Nothing is served at this path.',
    next: 'Check method and path; the API lives under /auth/v1 and /rest/v1.',
  },
  KB405: {
    status: 405,
    when: 'The path is served, but not with this method.',
    next: 'Use the method that the Allow header names.',
  },
  KB408: {
    status: 408,
    when: 'The body of the request did not arrive within HTTP_BODY_TIMEOUT_MS, an upload fell silent for as long, or it paused while too many others arrived.',
    next: 'Send smaller requests without pauses, or look for a stalled network.',
  },
  KB413: {
    status: 413,
    when: 'The body is larger than HTTP_BODY_LIMIT.',
    next: 'Send less at once, or raise HTTP_BODY_LIMIT.',
  },
  KB415: {
    status: 415,
    when: 'The body has a content type that the path does not read.',
    next: 'Send application/json.',
  },
  KB431: {
    status: 431,
    when: 'Headers and address together are larger than 64 KB.',
    next: 'Send long filters in a body, or ask in several requests.',
  },
  KB500: {
    status: 500,
    when: 'The server failed in a way nobody foresaw.',
    next: 'Look for the request id in the log and report it.',
  },
});

export function httpError(code: keyof typeof httpErrors, words: ErrorWords): CatalogError {
  return new CatalogError(code, httpErrors[code].status, words);
}
