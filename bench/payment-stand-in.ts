// Payment provider that accepts every request, so that measured time is the service's own; and events signed as the real one signs them.

import { createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PaymentStandIn {
  /** Of a server that is to ask it. */
  readonly settings: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export const webhookSecret = 'whsec_only_for_measuring';

export async function startPaymentStandIn(): Promise<PaymentStandIn> {
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      const id = randomUUID();
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ id, object: 'session', url: `https://pay.bench.test/${id}` }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    settings: {
      BILLING_API_URL: `http://127.0.0.1:${port}`,
      BILLING_SECRET_KEY: 'sk_test_only_for_measuring',
      BILLING_WEBHOOK_SECRET: webhookSecret,
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The header of a delivery: a time, and the HMAC over it and the very bytes. */
export function signedDelivery(body: Buffer, secret: string): string {
  const at = Math.floor(Date.now() / 1000);
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex')}`;
}
