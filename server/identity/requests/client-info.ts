// Where a request comes from, as far as limits and the audit log need it.

import type { FastifyRequest } from 'fastify';
import { plainAddress } from '../../limits/network-of.ts';
import type { ClientInfo } from '../types.ts';
import { headerValue } from './read-body.ts';

export function clientInfoOf(request: FastifyRequest): ClientInfo {
  return {
    address: plainAddress(request.ip),
    agent: (headerValue(request, 'user-agent') ?? '').slice(0, 512),
  };
}
