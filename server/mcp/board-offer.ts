// Tools, resources and prompts of the board. Loaded with the first request: the SDK is large.

import type { Offer } from './offer.ts';
import { openServer } from './open-server.ts';
import { bindingsOf } from './subscriptions.ts';
import { tools } from './tools/tool-list.ts';

export const boardOffer: Offer = {
  open: openServer,
  scopeOf: (tool) => tools.find(({ name }) => name === tool)?.scope,
  bindingsOf,
};
