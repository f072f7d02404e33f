// The program that a row was written through, which the database notes from the token: a key of a person, or an app.

import { t } from '../../strings/messages.ts';

interface Program {
  readonly sub: string;
  readonly name: string;
}

export function programOf(value: unknown): Program | null {
  const { sub, name } = (value ?? {}) as Partial<Program>;
  return typeof sub === 'string' && typeof name === 'string' ? { sub, name } : null;
}

/** A person, and the program they wrote through, where it is called otherwise: the first key of an agent bears its name. */
export function nameThrough(name: string, value: unknown): string {
  const program = programOf(value);
  return program === null || program.name === name ? name : t('task.through', { name, program: program.name });
}
