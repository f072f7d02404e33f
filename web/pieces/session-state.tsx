// State of a session of an agent: a sign, with its word or beside the agent's face on a card.

import {
  CircleCheck,
  CircleDashed,
  CircleQuestionMark,
  CircleStop,
  LoaderCircle,
  type LucideIcon,
  Moon,
  TriangleAlert,
} from 'lucide-react';
import type { AgentAtWork, SessionState } from '../queries/agents/at-work.ts';
import { t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import { Avatar } from '../ui/avatar.tsx';
import styles from './session-state.module.css';
import badges from './task-badges.module.css';

/** `stopped`: by a person. */
export type ShownState = SessionState | 'stopped';

const icons: Readonly<Record<ShownState, LucideIcon>> = {
  pending: CircleDashed,
  active: LoaderCircle,
  awaiting_input: CircleQuestionMark,
  complete: CircleCheck,
  error: TriangleAlert,
  stale: Moon,
  stopped: CircleStop,
};

export function StateMark({ state }: { state: ShownState }) {
  const Icon = icons[state];
  return (
    <span className={`${shapes.inlineS2} ${styles.state}`} data-state={state}>
      <Icon size={14} aria-hidden="true" />
      {t(`agents.states.${state}`)}
    </span>
  );
}

/** On a card: the face, and the state in one sign. */
export function AgentMark({ agent: { name, avatarUrl, userId, state } }: { agent: AgentAtWork }) {
  const said = t('common.pair', { name, value: t(`agents.states.${state}`) });
  const Icon = icons[state];
  return (
    <span className={`${badges.fact} ${styles.state}`} title={said} data-agent-session data-state={state}>
      <span className={shapes.inlineS2} aria-hidden="true">
        <Avatar name={name} url={avatarUrl} seed={userId} size={20} />
        <Icon size={14} />
      </span>
      <span className="only-spoken">{said}</span>
    </span>
  );
}
