// OpenAPI descriptions of the routes of public links.

import { body, CALLER, flag, KEY, object, orNull, refer, response, text, whole } from '../../http/open-api.ts';
import { checkedOperation, operation, SHARING } from '../description-terms.ts';

const options = object(
  {
    'names?': flag('Assignees and authors are shown'),
    'comments?': flag('Comments are shown'),
    'files?': flag('Attachments are downloaded with the token, at /storage/v1/object/authenticated'),
  },
  { additionalProperties: false },
);

export const createShareLink = checkedOperation(SHARING, 'createShareLink', 'Make a public link', {
  description: 'For owners of the project: `create_share_link`, with a password if one is sent.',
  security: CALLER,
  requestBody: body(
    object({
      project_id: text('The project', { format: 'uuid' }),
      'task_id?': orNull(text('Only this task and its subtasks', { format: 'uuid' })),
      'view_id?': orNull(text('Only the tasks of this saved view, as it is now', { format: 'uuid' })),
      'days?': orNull(whole('How long it works; null: until it is revoked')),
      'password?': text('Asked for when the link is opened'),
      'options?': options,
    }),
  ),
  responses: { 200: response('The link with its token, which is not told again', { type: 'object' }) },
});

export const openShareLink = operation(SHARING, 'openShareLink', 'Open a public link', {
  description:
    'Answers a token of the role `share_link` for an hour, as `Authorization: Bearer …` at /rest/v1. It reads what the link shows (files at /storage/v1, too), as long as the link is open.',
  security: KEY,
  requestBody: body(object({ token: text('What stands behind # in the address'), 'password?': text() })),
  responses: {
    200: response(
      'A token, and what the link shows',
      object({
        access_token: text('Goes into `Authorization: Bearer …`'),
        token_type: { const: 'bearer' },
        expires_in: whole('Seconds'),
        project_id: text('', { format: 'uuid' }),
        task_id: orNull(text('Of a link to a task', { format: 'uuid' })),
        view: orNull(object({}, { description: 'Of a link to a view: its name, layout and sort' })),
        options,
      }),
    ),
    400: response('What was sent cannot be accepted', refer('IdentityError')),
    401: response('The password is missing or wrong', refer('IdentityError')),
    404: response('No open link has this token', refer('IdentityError')),
    429: response('Too often; `Retry-After` says when again', refer('IdentityError')),
  },
});
