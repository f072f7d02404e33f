// Reads a request's address and user agent, as limits and the audit log need them.

import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { plainAddress } from '../../limits/network-of.ts';
import type { ClientInfo } from '../types.ts';
import { headerValue } from './read-body.ts';

export function clientInfoOf(request: FastifyRequest): ClientInfo {
  const address = plainAddress(request.ip ?? '');
  return {
    // None where the connection is gone already, or is no network's.
    address: isIP(address) === 0 ? '' : address,
    agent: (headerValue(request, 'user-agent') ?? '').slice(0, 512),
  };
}
