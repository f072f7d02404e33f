// What stands on the landing side, billing and operations, in words.

import { answer, body, NOBODY, type Operation, object, type Paths, query, refer, text } from '../open-api.ts';

const operation = (
  tag: string,
  operationId: string,
  summary: string,
  rest: Omit<Operation, 'operationId' | 'summary' | 'tags'>,
): Operation => ({ operationId, tags: [tag], summary, ...rest });

const refused = (description: string) => answer(description, refer('PlainError'));
const uri = (description: string) => text(description, { format: 'uri' });

const event = (operationId: string, summary: string) => ({
  post: operation('Billing', operationId, summary, {
    description: 'The raw body is verified against the signing secret; an event that comes twice counts once.',
    security: NOBODY,
    parameters: [
      {
        name: 'Stripe-Signature',
        in: 'header' as const,
        required: true,
        description: 'Of the raw body',
        schema: { type: 'string' },
      },
    ],
    requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
    responses: { 200: answer('Received', { type: 'object' }), 400: refused('The signature does not fit') },
  }),
});

export const landingPaths: Paths = {
  '/api/lead': {
    post: operation('Landing', 'leaveLead', 'Leave an e-mail address', {
      security: NOBODY,
      requestBody: body(object({ email: text('Where to write to', { format: 'email' }) })),
      responses: {
        200: answer('Kept', object({})),
        400: refused('No address, or none that is one'),
        429: refused('Too many from here'),
        500: refused('It could not be kept'),
      },
    }),
  },
  '/auth/callback': {
    get: operation('Landing', 'finishSignIn', 'The end of a sign-in elsewhere', {
      description: 'Exchanges the code for a session, sets the session cookies and goes on to `next`.',
      security: NOBODY,
      parameters: [
        query('code', 'The code to exchange'),
        query('next', 'A path of this service', { schema: { type: 'string', default: '/app' } }),
      ],
      responses: { 302: answer('On to `next`') },
    }),
  },
  '/api/settings': {
    get: operation('Landing', 'publicSettings', 'What the pages need to know', {
      security: NOBODY,
      responses: { 200: answer('Public settings', { type: 'object' }) },
    }),
  },
  '/api/billing/create-checkout': {
    post: operation('Billing', 'createCheckout', 'Begin a payment', {
      description: 'For anyone; a signed-in user’s account is tied to it.',
      security: [{}, { cookie: [] }],
      requestBody: body(
        object({
          priceId: text('At the payment provider'),
          successUrl: uri('Where to go after paying'),
          cancelUrl: uri('Where to go otherwise'),
          mode: text('Once or again and again', { enum: ['payment', 'subscription'] }),
        }),
      ),
      responses: {
        200: answer('Where to send the user', object({ url: uri('At the payment provider') })),
        400: refused('A field is missing'),
        500: refused('The provider refused'),
      },
    }),
  },
  '/api/billing/create-portal': {
    post: operation('Billing', 'createPortal', 'Manage a subscription', {
      security: [{ cookie: [] }],
      requestBody: body(object({ returnUrl: uri('Where to come back to') })),
      responses: {
        200: answer('Where to send the user', object({ url: uri('At the payment provider') })),
        400: refused('No return address, or no billing account yet'),
        401: refused('Not signed in'),
        500: refused('The provider refused'),
      },
    }),
  },
  '/api/webhook/billing': event('receiveBillingEvent', 'Receive an event of the payment provider'),
  '/api/billing/webhook': event('receiveBillingEventToo', 'The same receiver, under the provider’s usual path'),
};

export const operationsPaths: Paths = {
  '/health': {
    get: operation('Operations', 'health', 'Whether the process is up', {
      security: NOBODY,
      responses: { 200: answer('It is', object({ status: { const: 'ok' } })) },
    }),
  },
  '/ready': {
    get: operation('Operations', 'ready', 'Whether it can serve', {
      security: NOBODY,
      responses: {
        200: answer('It can', object({ status: { const: 'ready' } })),
        503: answer('The database does not answer', { type: 'object' }),
      },
    }),
  },
  '/metrics': {
    get: operation('Operations', 'metrics', 'Figures for Prometheus', {
      security: NOBODY,
      responses: {
        200: { description: 'Figures', content: { 'text/plain': { schema: { type: 'string' } } } },
        401: answer('From elsewhere, without METRICS_TOKEN as bearer token', { type: 'object' }),
      },
    }),
  },
  '/openapi.json': {
    get: operation('Operations', 'describeService', 'This description', {
      security: NOBODY,
      responses: { 200: answer('OpenAPI 3.1', { type: 'object' }) },
    }),
  },
};

export const landingSchemas = {
  PlainError: object({ error: text('For people') }),
};
