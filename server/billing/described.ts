// OpenAPI descriptions of the billing routes.

import { body, NOBODY, type Operation, object, refused, response, text } from '../http/open-api.ts';

const tags = ['Billing'];
const uri = (description: string) => text(description, { format: 'uri' });
const address = response('Where to send the user', object({ url: uri('At the payment provider') }));

export const createCheckout: Operation = {
  operationId: 'createCheckout',
  tags,
  summary: 'Begin a payment',
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
  responses: { 200: address, 400: refused('A field is missing'), 500: refused('The provider refused') },
};

export const createPortal = {
  operationId: 'createPortal',
  tags,
  summary: 'Manage a subscription',
  security: [{ cookie: [] }],
  requestBody: body(object({ returnUrl: uri('Where to come back to') })),
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
