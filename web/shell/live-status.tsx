// Status line while live changes don't arrive: what is on screen may be outdated. Short gaps are not shown.

import { CloudOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLiveState } from '../queries.ts';
import { t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import styles from './shell.module.css';

/** Milliseconds of a gap that nobody needs to hear of. */
const quietMs = 4000;

export function LiveStatus() {
  const state = useLiveState();
  const [late, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (state !== 'down') return;
    const timer = setTimeout(() => setLate(true), quietMs);
    return () => clearTimeout(timer);
  }, [state]);
  return (
    <div role="status" data-live={state}>
      {late && (
        <p className={`${shapes.rowS2} ${shapes.softS} ${shapes.surface} ${shapes.bordered} ${styles.liveSign}`}>
          <CloudOff size={14} aria-hidden="true" />
          {t('common.reconnecting')}
        </p>
      )}
    </div>
  );
}
