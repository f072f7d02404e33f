// GET /user: one round trip, and the bytes Postgres made are the bytes the client gets.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import type { IdentityContext } from '../identity-context.ts';
import { checkOutcome, readToken } from '../requests/require-user.ts';

export async function getUser(context: IdentityContext, request: FastifyRequest, reply: FastifyReply): Promise<Buffer> {
  const { claims, userId, sessionId } = await readToken(context, request);
  if (claims.key_id !== undefined) context.sessions.noteUse(claims.key_id, request.ip);
  const { rows } = await context.read(sql`select outcome, caller from auth.find_caller(${userId}, ${sessionId})`);
  const [outcome, caller] = rows[0] ?? [];
  checkOutcome(outcome?.toString() ?? 'user_not_found');
  void reply.header('content-type', 'application/json; charset=utf-8');
  return caller ?? Buffer.from('{}');
}
