// OpenAPI descriptions of the admin routes: what each takes is checked by its schema, what it answers is for the admin pages.

import {
  body,
  choice,
  flag,
  inPath,
  list,
  type Operation,
  object,
  orNull,
  type Parameter,
  query,
  refer,
  response,
  text,
  whole,
} from '../http/open-api.ts';

const tags = ['Admin'];
const security = [{ token: [] }];
const errors = {
  401: response('Not signed in', refer('AdminError')),
  403: response('Not an operator', refer('AdminError')),
};
const notThere = { 404: response('There is none', refer('AdminError')) };
const unfit = { 400: response('A field does not fit', refer('AdminError')) };
const conflict = { 409: response('Not possible as things are', refer('AdminError')) };
const done = response('Done', { type: 'object' });

export const adminTerms = {
  tags: [{ name: 'Admin', description: 'For operators, with their access token; a cookie is not enough.' }],
  schemas: {
    AdminError: object({ code: text(), message: text(), 'details?': orNull(text()), 'hint?': orNull(text()) }),
  },
};

const id = inPath('id', undefined, { format: 'uuid' });
const asked = text(undefined, { maxLength: 500 });
const words = query('words', 'What to look for', { schema: asked });
const paging = [
  words,
  query('kind', 'Which ones', { schema: asked }),
  query('skip', 'After how many', { schema: whole(undefined, { minimum: 0 }) }),
];

const read = <const P extends Parameter = never>(
  operationId: string,
  summary: string,
  parameters: readonly P[] = [],
) => ({
  operationId,
  tags,
  summary,
  security,
  ...(parameters.length === 0 ? {} : { parameters }),
  responses: {
    200: response('As it is now', {}),
    ...errors,
    ...(parameters.some((one: Parameter) => one === id) ? notThere : {}),
  },
});

const act = <R extends Partial<Operation> = Record<never, never>>(operationId: string, summary: string, more?: R) => ({
  operationId,
  tags,
  summary,
  security,
  responses: { 200: done, ...errors, ...conflict, ...(more?.requestBody === undefined ? {} : unfit) },
  ...(more as R),
});

const short = (description: string) => text(description, { maxLength: 2000 });
const email = short('The address of the account');
const reason = { 'reason?': short('Why, in up to 500 characters: the members of the project read it') };
export const ofOne = { parameters: [id] };

export const readMe = read('adminReadMe', 'The operator who asks');
export const claim = act('adminClaim', 'Become the first operator, by the link of the start', {
  requestBody: body(object({ 'token?': short('From the link') })),
});

export const listAccounts = read('adminListAccounts', 'Accounts, fifty at a time', paging);
export const createAccount = act('adminCreateAccount', 'Create an account, by email or by a link to hand on', {
  requestBody: body(
    object({
      by: choice(['mail', 'link'], 'Whether its owner gets an email, or the answer has a link'),
      email: text('The address of the account', { minLength: 1, maxLength: 2000 }),
      'name?': short('Its display name'),
    }),
  ),
});
export const readAccount = read('adminReadAccount', 'One account', [id]);
export const accountActions = {
  disable: act('adminDisableAccount', 'Disable an account', ofOne),
  enable: act('adminEnableAccount', 'Enable an account', ofOne),
  'sign-out': act('adminSignOutAccount', 'End all sessions of an account', ofOne),
  'reset-factors': act('adminResetFactors', 'Remove the two-factor authentication of an account', ofOne),
  delete: act('adminDeleteAccount', 'Delete an account', {
    ...ofOne,
    requestBody: body(object({ 'email?': short('The address of the account again') })),
  }),
};

export const listProjects = read('adminListProjects', 'Projects, fifty at a time', paging);
export const readProject = read('adminReadProject', 'One project, without its contents', [id]);
export const enterProject = act('adminEnterProject', 'Join a project for a day, visibly to its members', {
  ...ofOne,
  requestBody: body(object(reason)),
});
export const leaveProject = act('adminLeaveProject', 'Leave a project', ofOne);
export const transferProject = act('adminTransferProject', 'Transfer ownership of a project in 72 hours', {
  ...ofOne,
  requestBody: body(object({ 'email?': email, ...reason })),
});
export const withdrawTransfer = act('adminWithdrawTransfer', 'Withdraw a transfer of ownership', ofOne);
export const restoreProject = act('adminRestoreProject', 'Restore a deleted project', {
  ...ofOne,
  requestBody: body(object(reason)),
});

export const listKeys = read('adminListKeys', 'Keys that work, fifty at a time', paging);
export const revokeKey = act('adminRevokeKey', 'End a key of a person', ofOne);
export const listServiceAccounts = read('adminListServiceAccounts', 'Service accounts, fifty at a time', paging);
export const deleteServiceAccount = act('adminDeleteServiceAccount', 'Delete a service account', ofOne);
export const listClients = read('adminListClients', 'OAuth clients, fifty at a time', paging);
export const createClient = act('adminCreateClient', 'Create an OAuth client; its secret is told once', {
  requestBody: body(
    object({
      name: text('As people see it', { minLength: 1, maxLength: 200 }),
      redirect_uris: list(text('Where people come back to', { maxLength: 2000 })),
      is_confidential: flag('Whether it can keep a secret'),
    }),
  ),
});
export const replaceClientSecret = act('adminReplaceClientSecret', 'A new secret for a client, told once', ofOne);
export const deleteClient = act('adminDeleteClient', 'Delete a client, with all it was granted', ofOne);
export const listWebhooks = read('adminListWebhooks', 'Webhooks of all projects, fifty at a time', [
  query('skip', 'After how many', { schema: whole(undefined, { minimum: 0 }) }),
]);
export const switchOffWebhook = act('adminSwitchOffWebhook', 'Turn a webhook off', ofOne);

export const listProviders = read('adminListProviders', 'Identity providers that provision by SCIM');
export const createProvider = act('adminCreateProvider', 'Create a provider; its first token is told once', {
  requestBody: body(
    object({
      name: text('Its name', { minLength: 1, maxLength: 60 }),
      'on_trial?': flag('Whether what it sends only shows what it would change, until it is applied'),
    }),
  ),
});
export const startTrial = act('adminStartTrial', 'Put a provider on trial, or forget what it sent during one', ofOne);
export const previewTrial = act('adminPreviewTrial', 'What applying a trial would change', ofOne);
export const applyTrial = act('adminApplyTrial', 'Apply what a provider sent during its trial, and end that', {
  ...ofOne,
  requestBody: body(object({ version: text('Of the preview', { minLength: 1, maxLength: 100 }) })),
});
export const createProviderToken = act('adminCreateProviderToken', 'A further token, told once', ofOne);
export const revokeProviderToken = act('adminRevokeProviderToken', 'Revoke a token at once', ofOne);
export const removeProvider = act('adminRemoveProvider', 'End provisioning by a provider', ofOne);

const groupMapping = body(
  object({
    groups: list(
      object({
        value: text('Of the claim', { minLength: 1, maxLength: 400 }),
        name: text('Of the group here', { minLength: 1, maxLength: 100 }),
      }),
      'None: all groups count, by their values',
      { maxItems: 500 },
    ),
  }),
);
export const readGroupMapping = read(
  'adminReadGroupMapping',
  'Which groups of the OpenID Connect provider are groups here',
);
export const previewGroupMapping = act(
  'adminPreviewGroupMapping',
  'Who would join and leave which groups with a mapping',
  {
    requestBody: groupMapping,
  },
);
export const changeGroupMapping = act('adminChangeGroupMapping', 'Change the mapping, for everybody at once', {
  requestBody: groupMapping,
});

export const listMail = read('adminListMail', 'The email queue', [
  words,
  query('state', 'Which ones', { schema: choice(['queued', 'failed', 'kept', 'sent']) }),
  query('before', 'Older than this time', { schema: asked }),
]);
export const readMail = read('adminReadMail', 'One email', [id]);
export const resendAllMail = act('adminResendAllMail', 'Send all failed email again');
export const resendMail = act('adminResendMail', 'Send one failed email again', ofOne);
export const sendTestMail = act('adminSendTestMail', 'Send a test email to the operator who asks');

export const readState = read('adminReadState', 'Version and findings');
export const readRequests = read('adminReadRequests', 'Counts of requests');
export const readDatabase = read('adminReadDatabase', 'The database');
export const readFiles = read('adminReadFiles', 'Stored files');
export const readBackups = read('adminReadBackups', 'Backups and their schedule');
export const readJobs = read('adminReadJobs', 'Background jobs');

export const listSettings = read('adminListSettings', 'All settings, with their source');
export const changeSetting = act('adminChangeSetting', 'Change a setting on all nodes', {
  parameters: [inPath('name')],
  requestBody: body(object({ 'value?': orNull(short('None: as if it had never been set here')) })),
});

export const readLog = read('adminReadLog', 'What operators did, a hundred entries at a time', [
  words,
  query('before', 'Entries before the one of this id', { schema: text(undefined, { format: 'uuid' }) }),
]);
export const exportLog = {
  ...read('adminExportLog', 'What operators did, as a file', [words]),
  responses: { 200: { description: 'The file', content: { 'text/csv': {} } }, ...errors },
};
