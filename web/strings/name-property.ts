// Names of a task's properties. Each has one, `property.<id>`; a screen that calls one otherwise has a text of its own for it.

import { isMessage, t } from './messages.ts';

/** `own`: key of the text that the screen has, where it calls the property otherwise. */
export function nameProperty(own: string, id: string): string {
  return t((isMessage(own) ? own : `property.${id}`) as 'property.title');
}
