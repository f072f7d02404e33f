// Word beside the name of an agent, which tells it apart from people; nothing beside other names.

import { isAgent, useQuery } from '../queries.ts';
import { t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import styles from './task-badges.module.css';

export function AgentTag({ userId }: { userId: string }) {
  return useQuery(isAgent, userId) && <AgentWord />;
}

export function AgentWord() {
  return <span className={`${shapes.softXs} ${shapes.chip} ${styles.agent}`}>{t('common.agent')}</span>;
}
