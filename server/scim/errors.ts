// Errors of /scim/v2. Those that the database raises have the same codes there (sql/rules/scim); the answer has SCIM's own form and types.

import { declareErrors, errorsOf } from '../errors.ts';

export const scimErrors = declareErrors({
  KB851: {
    status: 401,
    when: 'The token is missing, wrong or revoked.',
    next: 'Use a token of the admin pages, under Provisioning.',
  },
  KB852: { status: 404, when: 'The provider keeps no such person or group.', next: 'Find it by a filter.' },
  KB853: {
    status: 409,
    when: 'userName, address or displayName is taken (`uniqueness`).',
    next: 'Find that one and change it, or use another.',
  },
  KB854: { status: 400, when: 'The filter can’t be read, or is too large (`invalidFilter`).', next: 'Correct it.' },
  KB855: { status: 400, when: 'A path leads to no attribute (`invalidPath`).', next: 'See /scim/v2/Schemas.' },
  KB856: { status: 400, when: 'A value is missing or doesn’t fit (`invalidValue`).', next: 'Correct it.' },
  KB857: { status: 400, when: 'No value matches the path (`noTarget`).', next: 'Add the value first.' },
  KB858: { status: 400, when: 'The attribute is read-only or required (`mutability`).', next: 'Leave it out.' },
  KB859: {
    status: 403,
    when: 'The account is an operator’s: neither deactivated nor given another address.',
    next: 'npx kanbase operator ADDRESS --remove, first.',
  },
  KB860: { status: 412, when: 'The resource has changed since it was read.', next: 'Read it again.' },
  KB861: { status: 400, when: 'The body has no SCIM message (`invalidSyntax`).', next: 'Correct it.' },
});

/** SCIM's own words for a code. */
export const scimTypes: Readonly<Record<string, string>> = {
  KB853: 'uniqueness',
  KB854: 'invalidFilter',
  KB855: 'invalidPath',
  KB856: 'invalidValue',
  KB857: 'noTarget',
  KB858: 'mutability',
  KB859: 'mutability',
  KB861: 'invalidSyntax',
  KB400: 'invalidSyntax',
};

export const scimError = errorsOf(scimErrors);
