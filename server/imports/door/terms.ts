// Parameters and schemas that the OpenAPI descriptions of the import routes share.

import { object, refer, text } from '../../http/open-api.ts';
import { problemKinds } from '../neutral.ts';

const whole = { type: 'integer' };
const uuid = text(undefined, { format: 'uuid' });

export const terms = {
  tags: [
    { name: 'Imports', description: 'What other products export: tried first, written as the caller, taken back.' },
  ],
  schemas: {
    ImportError: object({
      code: text(),
      message: text(),
      'error?': text(),
      'details?': { type: ['string', 'null'] },
      'hint?': { type: ['string', 'null'] },
    }),
    ImportProblem: object({
      kind: text(undefined, { enum: problemKinds }),
      line: { type: ['integer', 'null'] },
      about: text('The value, or the row’s own words'),
    }),
    Import: object({
      id: uuid,
      state: text(undefined, {
        enum: ['ready', 'waiting', 'running', 'done', 'cancelled', 'failed', 'undoing', 'undone'],
      }),
      product: text(),
      fileName: text(),
      projectId: { type: ['string', 'null'], format: 'uuid' },
      canUndo: { type: 'boolean' },
      done: { ...whole, description: 'Rows written' },
      total: whole,
      made: { ...whole, description: 'Tasks made' },
      updated: whole,
      failure: { type: ['string', 'null'] },
      problems: { type: 'array', items: refer('ImportProblem') },
      problemCount: whole,
    }),
    ImportPreview: object({
      product: text(),
      name: text('What the project is called there'),
      keepsDates: {
        type: 'boolean',
        description: 'False where the caller may not date tasks back: dates become words',
      },
      columns: { type: ['array', 'null'], items: object({ name: text(), field: text(), samples: { type: 'array' } }) },
      counts: object({}, { additionalProperties: whole }),
      lists: {
        type: 'array',
        items: object({ name: { type: ['string', 'null'] }, count: whole, first: { type: 'array' } }),
      },
      mayInvite: { type: 'boolean', description: 'The caller owns the project, or makes it' },
      people: {
        type: 'array',
        items: object({
          key: text(),
          name: text(),
          userId: { type: ['string', 'null'] },
          invited: { type: ['string', 'null'], description: 'The address that would be invited' },
          joins: { type: 'boolean', description: 'No member yet: becomes one, an editor, when the import starts' },
        }),
      },
      problems: { type: 'array', items: refer('ImportProblem') },
      problemCount: whole,
    }),
  },
};
