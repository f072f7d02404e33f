// `Agent-Session: <id>`: narrows a request to a session of its caller, an agent or a person's program (sql/rules/agents/entering.sql). Until the
// transaction has entered the session, the claims let nothing more through than before. Before an answer with words of people from outside leaves, it
// is noted that the session has read them. Where it is in mode propose, entering it to write is refused with KB025, but for procedures that tell of
// its work or claim some; the data door then tries the write (server/data/propose-change.ts).

import type { IncomingHttpHeaders } from 'node:http';
import type { Caller, Statement } from '../database/types.ts';
import { CatalogError } from '../errors.ts';
import { isPerson, isProgram } from './narrowing.ts';

const ofItsWork =
  /^\/rpc\/(claim_next_task|keep_claim|release_claim|open_agent_session|connect_agent_session|stop_agent_session|report_agent_session|add_agent_activity)$/;

const enter = (session: string, writes: boolean): Statement => ({
  text: 'select private.enter_session($1, $2, $2)',
  values: [session, String(writes)],
});

/** The caller as the doors ask the database for them; who works for nobody has no sessions. `path`: what is asked of /rest/v1. */
export function inSession(caller: Caller, headers: IncomingHttpHeaders, path = ''): Caller {
  const named = headers['agent-session'];
  if (named === undefined || !(isPerson(caller) || isProgram(caller))) return caller;
  const session = String(named);
  return {
    ...caller,
    role: 'program',
    entering: {
      toRead: enter(session, false),
      toWrite: ofItsWork.test(path)
        ? enter(session, true)
        : { text: 'select private.enter_to_write($1)', values: [session] },
      toStore: enter(session, true),
      toPropose: { text: 'select private.enter_to_propose($1)', values: [session] },
    },
    leaving: {
      ask: { text: "select current_setting('kanbase.read_outside_words', true) = 'on'", values: [] },
      note: { text: 'select private.taint_session($1)', values: [session] },
    },
  };
}

/** At doors where sessions only read: what is done there is neither proposed nor undone, and reaches beyond the projects of a session. */
export function refuseSession(method: string, headers: IncomingHttpHeaders): void {
  if (headers['agent-session'] === undefined || method === 'GET' || method === 'HEAD') return;
  throw new CatalogError('KB400', 400, { message: 'No session of an agent does this: leave out Agent-Session' });
}
