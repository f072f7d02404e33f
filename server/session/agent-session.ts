// `Agent-Session: <id>`: narrows a request to a session of its caller, an agent or a person's program (sql/rules/agents/sessions.sql). Until the
// transaction has entered the session, the claims let nothing more through than before. Before an answer with words of people from outside leaves, it
// is noted that the session has read them.

import type { IncomingHttpHeaders } from 'node:http';
import type { Caller, Statement } from '../database/types.ts';
import { isPerson, isProgram } from './narrowing.ts';

const enter = (session: string, writes: boolean, proposes: boolean): Statement => ({
  text: 'select private.enter_session($1, $2, $3)',
  values: [session, String(writes), String(proposes)],
});

/** The caller as the doors ask the database for them; who works for nobody has no sessions. */
export function inSession(caller: Caller, headers: IncomingHttpHeaders): Caller {
  const named = headers['agent-session'];
  if (named === undefined || !(isPerson(caller) || isProgram(caller))) return caller;
  const session = String(named);
  return {
    ...caller,
    role: 'program',
    entering: { toRead: enter(session, false, false), toWrite: enter(session, true, false) },
    leaving: {
      ask: { text: "select current_setting('kanbase.read_outside_words', true) = 'on'", values: [] },
      note: { text: 'select private.taint_session($1)', values: [session] },
    },
  };
}
