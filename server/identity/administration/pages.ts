// Lists that come in pages: ?page and ?per_page, with the total and links to the other pages in headers.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../errors.ts';
import { readQuery } from '../requests/read-body.ts';
import { paging } from './described.ts';

export interface Page {
  readonly number: number;
  readonly size: number;
  readonly skip: number;
}

const usualSize = 50;
const largestSize = 1000;

export function readPage(request: FastifyRequest): Page {
  const { page: number = 1, per_page: wanted = usualSize } = readQuery(request, { parameters: paging }, ({ field }) =>
    refuse('validation_failed', `Bad Pagination Parameters: ${field} must be a positive number`),
  );
  const size = Math.min(wanted, largestSize);
  return { number, size, skip: (number - 1) * size };
}

/** `page` comes first in the links: the official client reads it by position. What else was asked for stays. */
export function writePage(reply: FastifyReply, request: FastifyRequest, page: Page, total: number): void {
  const [path = '', query = ''] = request.url.split('?', 2);
  const last = Math.ceil(total / page.size);
  const others = new URLSearchParams(query);
  const size = others.has('per_page') ? `&per_page=${page.size}` : '';
  for (const name of ['page', 'per_page']) others.delete(name);
  const rest = others.size === 0 ? size : `${size}&${others}`;
  const link = (number: number, rel: string) => `<${path}?page=${number}${rest}>; rel="${rel}"`;
  const links = page.number < last ? [link(page.number + 1, 'next')] : [];
  reply.headers({ 'x-total-count': String(total), link: [...links, link(last, 'last')].join(', ') });
}
