// OpenAPI descriptions of the routes that send messages without a socket.

import {
  body,
  CALLER,
  fields,
  flag,
  inPath,
  list,
  NOBODY,
  object,
  query,
  response,
  text,
} from '../../http/open-api.ts';

const tags = ['Realtime'];

export const realtimeTerms = {
  tags: [{ name: 'Realtime', description: 'Messages to channels, without a socket.' }],
  schemas: {},
};

export const ping = {
  operationId: 'pingRealtime',
  tags,
  summary: 'Whether the realtime door answers',
  security: NOBODY,
  responses: { 200: response('It does', object({ message: text() })) },
};

const message = object({
  topic: text('The channel, without realtime:'),
  event: text('What subscribers listen for'),
  payload: fields('What they get'),
  'private?': flag('Under policies'),
});

export const sendBroadcasts = {
  operationId: 'sendBroadcasts',
  tags,
  summary: 'Send messages to channels',
  security: CALLER,
  requestBody: body(object({ messages: list(message) })),
  responses: { 202: response('On their way'), 422: response('What is wrong, by message') },
};

export const sendBroadcast = {
  operationId: 'sendBroadcast',
  tags,
  summary: 'Send one message to a channel',
  description: 'The body is the payload: JSON, or bytes as application/octet-stream.',
  security: CALLER,
  parameters: [
    inPath('topic'),
    inPath('event'),
    query('private', 'true: under policies'),
    query('persist', 'true: for those who join later'),
    query('persist[ttl]', 'The same, for so many seconds'),
  ],
  requestBody: {
    required: true,
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  },
  responses: { 202: response('On its way'), 403: response('Policies do not let the caller'), 422: response('Unfit') },
};
