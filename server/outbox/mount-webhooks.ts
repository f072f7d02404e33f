// /api/webhooks: making a webhook and replacing its secret, which the server draws and tells once. All else about webhooks goes through /rest/v1.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { WrongView } from '../../contract/read-view.ts';
import { roomRoles } from '../database/room-roles.ts';
import { type Fragment, sql, statement } from '../database/sql.ts';
import { PostgresError } from '../database/types.ts';
import { described } from '../http/describe-routes.ts';
import { takeBody } from '../http/plain-errors.ts';
import { leaveBodies } from '../http/read-json.ts';
import { readPath } from '../http/read-parameters.ts';
import { renderError } from '../http/render-error.ts';
import type { Services } from '../services.ts';
import { isPerson } from '../session/narrowing.ts';
import { SessionFault } from '../session/types.ts';
import * as says from './described.ts';
import { webhookError, type webhookErrors } from './errors.ts';
import { readWebhookFilter } from './webhooks/read-webhook-filter.ts';
import { drawKeys, webhookKeyOf } from './webhooks/sign-webhook.ts';

export async function mountWebhooks(app: FastifyInstance, services: Services): Promise<void> {
  const key = webhookKeyOf(services.sessions);
  await app.register(
    async (door) => {
      door.setErrorHandler(renderError);
      leaveBodies(door);
      door.describeTerms(says.webhookTerms);
      door.addHook('onRequest', async (_request, reply) => {
        reply.headers({ 'cache-control': 'no-store', vary: 'authorization' });
      });

      door.post('/', described(says.createWebhook), async (request, reply) => {
        const hook = await takeBody(request, says.createWebhook, ({ words }) => webhookError('KB872', words));
        const { secret, publicKey, sealed } = drawKeys(key);
        const row = await call(
          services,
          request,
          sql`select private.create_webhook(${hook.project_id}::uuid, ${hook.name}, ${addressIn(hook.url)}, ${asArray(hook.events as readonly string[])}::text[],
            ${JSON.stringify(filterIn(hook.filter))}::jsonb, ${hook.shape ?? 'json'}, ${String(hook.includes_restricted ?? false)}::boolean,
            ${publicKey}, ${sealed}) as value`,
        );
        return reply.code(201).send({ ...row, secret });
      });

      door.post('/:id/secret', described(says.rotateWebhook), async (request) => {
        const { id } = readPath(request, says.rotateWebhook, () => webhookError('KB873', 'There is no such webhook'));
        const { secret, publicKey, sealed } = drawKeys(key);
        const row = await call(
          services,
          request,
          sql`select private.rotate_webhook(${id}::uuid, ${publicKey}, ${sealed}) as value`,
        );
        return { ...row, secret };
      });
    },
    { prefix: '/api/webhooks' },
  );
}

const asArray = (names: readonly string[]): string => `{${names.join()}}`;

function addressIn(url: string): string {
  if (URL.canParse(url)) {
    const { protocol, username, password } = new URL(url);
    if (/^https?:$/.test(protocol) && username === '' && password === '') return url;
  }
  throw webhookError('KB872', 'url: an address of http or https, without a user name');
}

function filterIn(filter: unknown): unknown {
  try {
    return readWebhookFilter(filter ?? { all: [] });
  } catch (error) {
    if (error instanceof WrongView) throw webhookError('KB872', error.message);
    throw error;
  }
}

const codes: Readonly<Record<string, keyof typeof webhookErrors>> = {
  PT400: 'KB872',
  PT404: 'KB873',
  '22021': 'KB872',
  '23514': 'KB872',
  '42501': 'KB874',
};

/** As the room, with the claims of the person whom the token names: the procedure looks at their rights. */
async function call(
  { database, sessions }: Services,
  request: FastifyRequest,
  query: Fragment,
): Promise<Record<string, unknown>> {
  const token = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) throw webhookError('KB871', 'Sign in first');
  try {
    const { caller } = await sessions.verify(token);
    if (!isPerson(caller)) throw webhookError('KB871', 'Sign in first');
    const [row] = await database.objectsAs<{ value: Record<string, unknown> }>(
      { ...roomRoles.outbox, claims: caller.claims },
      statement(query),
      { settings: [['request.address', request.ip]] },
    );
    return row?.value ?? {};
  } catch (error) {
    if (error instanceof SessionFault) throw webhookError('KB871', 'Sign in first', { hint: error.message });
    const code = error instanceof PostgresError ? codes[error.sqlstate] : undefined;
    if (error instanceof PostgresError && code !== undefined)
      throw webhookError(code, error.message, { hint: error.hint });
    throw error;
  }
}
