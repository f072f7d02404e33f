// Mark of a task that somebody has claimed: by whom, and until when.

import { Hand } from 'lucide-react';
import { localDay, sayMoment, sayTime } from '../queries/days/days.ts';
import { t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import styles from './task-badges.module.css';

interface Claimed {
  /** The person, and the program they claimed it through. */
  readonly name: string;
  readonly expires_at: string;
}

export function ClaimMark({ claim }: { claim: Claimed }) {
  const said = sayClaim(claim);
  return (
    <span className={`${styles.fact} ${shapes.slim}`} title={said} data-claim>
      <Hand size={13} aria-hidden="true" />
      <span className={shapes.words} aria-hidden="true">
        {claim.name}
      </span>
      <span className="only-spoken">{said}</span>
    </span>
  );
}

/** The day as well, where it is not today. */
export function sayClaim({ name, expires_at: end }: Claimed): string {
  const isToday = localDay(new Date(end)) === localDay(new Date());
  return t('writing.claims.by', { name, time: isToday ? sayTime(end) : sayMoment(end) });
}
