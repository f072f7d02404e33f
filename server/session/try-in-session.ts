// Callers in a session of an agent for a transaction that is rolled back: there a session in mode propose may write, too.

import type { Caller, Statement } from '../database/types.ts';

/** Changes of a session in mode propose are refused but in a trial. */
const mayWrite = "set_config('kanbase.session_proposes', '', true)";

export const inSessionToTry = (caller: Caller, session: string): Caller =>
  entered(caller, { text: `select private.enter_session($1, true, true), ${mayWrite}`, values: [session] });

/** In one that is opened for it in a project, and is gone with it. */
export const inNewSessionToTry = (caller: Caller, project: string): Caller =>
  entered(caller, {
    text: `select private.enter_session(s.id::text, true, true), ${mayWrite} from private.open_session($1, null, null, private.await_session_writes(), null, null) s`,
    values: [project],
  });

const entered = ({ entering: _, ...caller }: Caller, statement: Statement): Caller => ({
  ...caller,
  role: 'program',
  beforeWrites: statement,
});
