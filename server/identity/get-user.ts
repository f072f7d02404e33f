// GET /user: one round trip, and the bytes Postgres made are the bytes the client gets.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from '../database/sql.ts';
import { checkOutcome, readToken } from './guards.ts';
import type { Room } from './room.ts';

export async function getUser(room: Room, request: FastifyRequest, reply: FastifyReply): Promise<Buffer> {
  const { userId, sessionId } = await readToken(room, request);
  const { rows } = await room.read(sql`select outcome, caller from auth.find_caller(${userId}, ${sessionId})`);
  const [outcome, caller] = rows[0] ?? [];
  checkOutcome(outcome?.toString() ?? 'user_not_found');
  void reply.header('content-type', 'application/json; charset=utf-8');
  return caller ?? Buffer.from('{}');
}
