// OpenAPI descriptions of the routes of resized images.

import { NOBODY, query, type Schema, text } from '../../http/open-api.ts';
import { download, object_, operation, refused, token } from '../description-terms.ts';

/** Numbers may be digits, and anything may be empty, as in addresses: read-transform.ts has the rules of both. */
export const transformFields = {
  'width?': { type: ['integer', 'string'], description: 'Up to 2,500' },
  'height?': { type: ['integer', 'string'], description: 'Up to 2,500' },
  'resize?': text('cover, contain or fill'),
  'quality?': { type: ['integer', 'string'], description: '20 to 100' },
  'format?': text('origin, webp or avif'),
} satisfies Readonly<Record<string, Schema>>;

const image = { 'image/*': { schema: { type: 'string', format: 'binary' } } } as const;
const resized = { 200: { description: 'The image', content: image }, 304: { description: 'Unchanged' }, 400: refused };
export const transform = [
  query('width', 'Up to 2,500'),
  query('height', 'Up to 2,500'),
  query('resize', 'cover, contain or fill'),
  query('quality', '20 to 100'),
  query('format', 'origin, webp or avif'),
];

export const imageOperations = {
  '/authenticated': operation('resizeImage', 'A resized image', {
    parameters: [...object_, ...transform, download],
    responses: resized,
  }),
  '/public': operation('resizePublicImage', 'A resized image from a public bucket', {
    parameters: [...object_, ...transform, download],
    responses: resized,
    security: NOBODY,
  }),
  '/sign': operation('resizeSignedImage', 'A resized image by a link, which says the size', {
    parameters: [...object_, token, download],
    responses: resized,
    security: NOBODY,
  }),
};
