// Payload of an event, the same for every webhook, whatever its shape. Written once, when the event is read; described in described.ts.

/** An event as private.read_webhook_events gives it. */
export interface OutboxEvent {
  readonly place: number;
  readonly id: string;
  readonly type: string;
  readonly project_id: string;
  readonly task_id: string | null;
  readonly change: Readonly<Record<string, unknown>>;
  readonly task: Readonly<Record<string, unknown>> | null;
  readonly comment: Readonly<Record<string, unknown>> | null;
  readonly is_restricted: boolean;
  readonly created_at: string;
  readonly project: { readonly id: string; readonly key: string; readonly name: string } | null;
  readonly column: string | null;
  readonly actor: Person | null;
  readonly person: Person | null;
  readonly program: Program | null;
}

interface Person {
  readonly id: string;
  readonly display_name: string;
}

/** A key or an app, as in the history of a task. */
interface Program {
  readonly kind: string;
  readonly sub: string;
  readonly name: string;
}

type AgentSession = Readonly<Record<string, unknown>> & { readonly agent: Person };

export interface Payload {
  readonly type: string;
  readonly timestamp: string;
  readonly data: {
    readonly project: { readonly id: string; readonly key: string; readonly name: string };
    readonly actor?: Person | null;
    /** Through which the actor did it. */
    readonly program?: Program;
    readonly task?: Readonly<Record<string, unknown>> & { readonly key: string; readonly url?: string };
    readonly comment?: Readonly<Record<string, unknown>>;
    readonly person?: Person;
    readonly change?: Readonly<Record<string, unknown>>;
    readonly session?: AgentSession;
    readonly prompt?: Readonly<Record<string, unknown>>;
    readonly webhook?: { readonly id: string; readonly name: string };
  };
}

const isGone = (type: string): boolean => type === 'task.deleted' || type === 'task.moved_out';

export function writePayload(event: OutboxEvent, siteUrl: string): Payload {
  const { project, task, column, actor, comment, person, program } = event;
  const inside = project ?? { id: event.project_id, key: '', name: '' };
  const number = String(task?.number ?? '');
  return {
    type: event.type,
    timestamp: new Date(event.created_at).toISOString(),
    data: {
      project: inside,
      actor,
      ...(program === null ? {} : { program }),
      ...(task === null
        ? {}
        : {
            task: {
              ...task,
              key: `${inside.key}-${number}`,
              ...(column === null ? {} : { column }),
              ...(isGone(event.type) ? {} : { url: `${siteUrl}/app/projects/${inside.id}/board/${number}` }),
            },
          }),
      ...(comment === null ? {} : { comment }),
      ...(person === null ? {} : { person }),
      ...(event.type.startsWith('agent_session.') ? event.change : { change: event.change }),
    },
  };
}
