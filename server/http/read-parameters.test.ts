import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { choice, inPath, query, text, whole } from './open-api.ts';
import { readPath, readQuery } from './read-parameters.ts';

const route = {
  parameters: [
    inPath('id', undefined, { format: 'uuid' }),
    inPath('path'),
    query('words', 'What to look for', { schema: text(undefined, { maxLength: 5 }) }),
    query('skip', 'After how many', { schema: whole(undefined, { minimum: 0 }) }),
    query('state', 'Which ones', { schema: choice(['sent', 'failed']) }),
    query('way', 'Which', { required: true }),
  ],
};
const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const asked = (sent: Record<string, unknown>, params: Record<string, string> = {}): FastifyRequest =>
  ({ url: '/', query: sent, params }) as unknown as FastifyRequest;
const refuse = ({ field, words }: { field: string; words: string }, sent: unknown): Error =>
  new Error(`${field}: ${words}; sent was ${JSON.stringify(sent)}`);

test('a query has the parameters of the description with their types, and no others', () => {
  const sent = { words: 'abc', skip: '20', state: 'sent', way: 'up', other: 'x' };
  expect(readQuery(asked(sent), route)).toEqual({ words: 'abc', skip: 20, state: 'sent', way: 'up' });
  expect(readQuery(asked(Object.create({ words: 'inherited' })), route)).toEqual({});
});

test.each([
  [{ words: 'abcdefg' }, { words: 'abcde' }],
  [{ words: ['a', 'b'], skip: '-1', state: 'lost' }, {}],
  [{ skip: '1e3', words: '' }, { words: '' }],
])('without a refusal what does not fit in %j counts as not sent, and long texts are cut', (sent, read) => {
  expect(readQuery(asked(sent), route)).toEqual(read);
});

test.each([
  [{ way: 'up', words: 'abcdefg' }, 'words: words is too long: at most 5 characters; sent was "abcdefg"'],
  [{ way: 'up', skip: 'many' }, 'skip: skip must be a whole number; sent was "many"'],
  [{ way: 'up', state: 'lost' }, 'state: state must be one of sent, failed; sent was "lost"'],
  [{ way: ['up', 'down'] }, 'way: way must be a string; sent was ["up","down"]'],
  [{}, 'way: way is required; sent was undefined'],
])('%j is refused by name', (sent, words) => {
  expect(() => readQuery(asked(sent), route, { refuse })).toThrow(words);
});

test('of several values the one counts that the door picks', () => {
  const pick = (sent: unknown): unknown => (Array.isArray(sent) ? sent[0] : sent);
  expect(readQuery(asked({ way: ['up', 'down'] }), route, { refuse, pick })).toEqual({ way: 'up' });
});

test('a path is refused where it does not fit, and has a star as `path`', () => {
  expect(readPath(asked({}, { id, '*': 'a/b' }), route)).toEqual({ id, path: 'a/b' });
  expect(() => readPath(asked({}, { id: 'mine', '*': 'a' }), route, refuse)).toThrow(
    /^id: id must match format "uuid"/,
  );
});
