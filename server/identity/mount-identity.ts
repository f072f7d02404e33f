// Nothing is mounted here yet.

import type { FastifyInstance } from 'fastify';
import type { House } from '../house.ts';

export async function mountIdentity(_app: FastifyInstance, _house: House): Promise<void> {}
