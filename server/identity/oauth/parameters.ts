// Parameters of a request to the OAuth server: of the address, or of a form. None may come twice, but for `resource`.

import type { FastifyRequest } from 'fastify';
import { headerValue, readForm, takeFields } from '../requests/read-body.ts';
import { refuseOAuth } from './errors.ts';

export interface Parameters {
  /** Empty where it is not there, which counts as the same. */
  text(name: string): string;
  all(name: string): readonly string[];
  /** Refuses names that came twice. */
  checkOnce(): void;
}

export function inAddress(request: FastifyRequest): Parameters {
  return parametersOf(new URLSearchParams(request.url.split('?').slice(1).join('?')));
}

/** A form, as the specification has it; or a JSON object, as Supabase's server takes it too. */
export async function inBody(request: FastifyRequest): Promise<Parameters> {
  const type = headerValue(request, 'content-type') ?? '';
  const read = parametersOf(/^application\/json\b/i.test(type) ? await asForm(request) : await readForm(request));
  read.checkOnce();
  return read;
}

async function asForm(request: FastifyRequest): Promise<URLSearchParams> {
  const fields = Object.entries(await takeFields(request));
  return new URLSearchParams(fields.filter((field): field is [string, string] => typeof field[1] === 'string'));
}

function parametersOf(sent: URLSearchParams): Parameters {
  for (const [name, value] of sent)
    if (/\p{Surrogate}|\p{Cc}/u.test(name) || /\p{Surrogate}|\p{Cc}/u.test(value))
      throw refuseOAuth('invalid_request', 'A parameter holds characters that are none of a text');
  return {
    text: (name) => sent.get(name) ?? '',
    all: (name) => sent.getAll(name).filter((value) => value !== ''),
    checkOnce() {
      for (const name of new Set(sent.keys()))
        if (name !== 'resource' && sent.getAll(name).length > 1)
          throw refuseOAuth('invalid_request', `${name.slice(0, 50)} is there twice`);
    },
  };
}
