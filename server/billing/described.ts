// OpenAPI descriptions of the billing routes.

import { body, choice, NOBODY, type Operation, object, orSay, refused, response, text } from '../http/open-api.ts';

const tags = ['Billing'];
const uri = (description: string, title?: string) =>
  text(description, { format: 'uri', minLength: 1, maxLength: 2048, ...(title === undefined ? {} : { title }) });
const bothUrls = (description: string, title: string) =>
  orSay(uri(description, title), 'Success and cancel URLs are required', 'KB702');
const address = response('Where to send the user', object({ url: uri('At the payment provider') }));

export const createCheckout = {
  operationId: 'createCheckout',
  tags,
  summary: 'Begin a payment',
  description: 'For anyone; a signed-in user’s account is tied to it.',
  security: [{}, { cookie: [] }] as NonNullable<Operation['security']>,
  requestBody: body(
    object({
      priceId: orSay(
        text('At the payment provider', { title: 'Price ID', minLength: 1, maxLength: 255 }),
        'Price ID is required',
        'KB701',
      ),
      successUrl: bothUrls('Where to go after paying', 'Success URL'),
      cancelUrl: bothUrls('Where to go otherwise', 'Cancel URL'),
      mode: orSay(
        choice(['payment', 'subscription'], 'Once or again and again'),
        "Mode is required (either 'payment' for one-time payments or 'subscription' for recurring subscription)",
        'KB703',
      ),
    }),
  ),
  responses: { 200: address, 400: refused('A field is missing'), 500: refused('The provider refused') },
};

export const createPortal = {
  operationId: 'createPortal',
  tags,
  summary: 'Manage a subscription',
  security: [{ cookie: [] }],
  requestBody: body(
    object({ returnUrl: orSay(uri('Where to come back to', 'Return URL'), 'Return URL is required', 'KB707') }),
  ),
  responses: {
    200: address,
    400: refused('No return address, or no billing account yet'),
    401: refused('Not signed in'),
    500: refused('The provider refused'),
  },
};

export const receiveEvent = {
  operationId: 'receiveBillingEvent',
  tags,
  summary: 'Receive an event of the payment provider',
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
  requestBody: body({ type: 'object' }),
  responses: { 200: response('Received', { type: 'object' }), 400: refused('The signature does not fit') },
};

export const receiveEventToo = {
  ...receiveEvent,
  operationId: 'receiveBillingEventToo',
  summary: 'The same receiver, under the provider’s usual path',
};
