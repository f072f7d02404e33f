// Chooses the media type of an answer among those that the client accepts, and what produces it.

import type { Catalog, MediaHandler, Name } from '../catalog/catalog.ts';
import { DataError } from '../errors.ts';
import { ANY_TYPE, JSON_TYPE, type MediaType, mediaTypeName, parseMediaType } from '../request/media-types.ts';
import type { Handler } from './plan.ts';

export interface Negotiated {
  readonly handler: Handler;
  readonly mediaType: MediaType;
}

const JSON_RESPONSE: Negotiated = { handler: { kind: 'json' }, mediaType: JSON_TYPE };

export function negotiate(
  accept: readonly MediaType[],
  catalog: Catalog,
  target: Name,
  hasDefaultSelect: boolean,
  plansAllowed: boolean,
): Negotiated {
  const first = accept[0];
  if (first !== undefined && catalog.mediaHandlers.length === 0 && (first.kind === 'json' || first.kind === 'any'))
    return JSON_RESPONSE;
  for (const type of accept) {
    const found = chooseHandler(type, catalog, target, hasDefaultSelect, plansAllowed);
    if (found !== null) return found;
  }
  throw new DataError('PGRST107', {
    message: `None of these media types are available: ${accept.map(mediaTypeName).join(', ')}`,
  });
}

function chooseHandler(
  type: MediaType,
  catalog: Catalog,
  target: Name,
  hasDefaultSelect: boolean,
  plansAllowed: boolean,
): Negotiated | null {
  if (type.kind === 'object') return { handler: { kind: 'object', stripped: type.stripped }, mediaType: type };
  if (type.kind === 'stripped-array') return { handler: { kind: 'stripped-json' }, mediaType: type };
  if (type.kind === 'plan') {
    if (!plansAllowed) return null;
    const inner = chooseHandler(type.of, catalog, target, hasDefaultSelect, false);
    return inner === null ? null : { handler: inner.handler, mediaType: type };
  }
  const wanted = mediaTypeName(type).toLowerCase();
  const ofTarget = (handler: MediaHandler): boolean =>
    handler.target !== null && handler.target.schema === target.schema && handler.target.name === target.name;
  const handlers = catalog.mediaHandlers;
  const custom =
    (hasDefaultSelect
      ? (handlers.find((handler) => ofTarget(handler) && handler.mediaType === mediaTypeName(ANY_TYPE)) ??
        handlers.find((handler) => ofTarget(handler) && handler.mediaType === wanted))
      : undefined) ?? handlers.find((handler) => handler.target === null && handler.mediaType === wanted);
  if (custom !== undefined)
    return {
      handler: { kind: 'custom', function: custom.handler, target: custom.target },
      mediaType: parseMediaType(custom.resolvedType),
    };
  if (type.kind === 'json' || type.kind === 'any') return JSON_RESPONSE;
  if (type.kind === 'csv') return { handler: { kind: 'csv' }, mediaType: type };
  if (type.kind === 'geojson' && catalog.geoJson !== null)
    return { handler: { kind: 'geojson', function: catalog.geoJson }, mediaType: type };
  return null;
}
