// Callers in a session of an agent for a transaction that is rolled back: there a session in mode propose may write, too.

import type { Caller, Statement } from '../database/types.ts';

export const inSessionToTry = (caller: Caller, session: string): Caller =>
  entered(caller, { text: 'select private.enter_session($1, true, true)', values: [session] });

/** In one that is opened for it in a project, and is gone with it. */
export const inNewSessionToTry = (caller: Caller, project: string): Caller =>
  entered(caller, {
    text: 'select private.enter_session(s.id::text, true, true) from private.open_session($1, null, null, null, null, null) s',
    values: [project],
  });

const entered = ({ entering: _, ...caller }: Caller, statement: Statement): Caller => ({
  ...caller,
  role: 'program',
  beforeWrites: statement,
});
