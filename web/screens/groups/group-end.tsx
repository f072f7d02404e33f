// Leaving a group, and deleting it: both ask first.

import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { deleteGroup, leaveGroup, useAct } from '../../commands.ts';
import { type GroupPage, peopleOfGroup, useQuery, useUserId } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/overlays/dialog.tsx';
import { Section } from '../../ui/section.tsx';
import styles from './groups.module.css';

export function GroupEnd({ page, name }: { page: GroupPage; name: string }) {
  const act = useAct();
  const [, go] = useLocation();
  const me = useUserId();
  const isIn = useQuery(peopleOfGroup, page.id).some(({ userId }) => userId === me);
  const [asking, setAsking] = useState<'leave' | 'delete' | null>(null);
  const mayLeave = isIn && page.source === 'hand';
  if (!mayLeave && !page.manages) return null;

  function end(): void {
    // It is gone from here at once; if the server refuses, it comes back with a message.
    go(paths.groups);
    if (asking === 'leave') void act(leaveGroup, page.id, me);
    else void act(deleteGroup, page.id);
  }

  return (
    <Section title={page.manages ? t('groups.end') : t('groups.leave')}>
      {mayLeave && (
        <End words={t('groups.leaveWords')}>
          <Button onClick={() => setAsking('leave')}>{t('groups.leave')}</Button>
        </End>
      )}
      {page.manages && (
        <End words={t('groups.deleteWords')}>
          <Button look="danger" onClick={() => setAsking('delete')}>
            {t('groups.delete')}
          </Button>
        </End>
      )}
      <Confirm
        open={asking !== null}
        onClose={() => setAsking(null)}
        title={asking === 'leave' ? t('groups.leave') : t('groups.deleteTitle', { name })}
        description={asking === 'leave' ? t('groups.leaveWords') : t('groups.deleteWords')}
      >
        <Button onClick={() => setAsking(null)}>{t('common.cancel')}</Button>
        <Button look="danger" onClick={end}>
          {asking === 'leave' ? t('groups.leave') : t('common.delete')}
        </Button>
      </Confirm>
    </Section>
  );
}

function End({ words, children }: { words: string; children: ReactNode }) {
  return (
    <div className={`${shapes.rowS5} ${shapes.spread} ${styles.end}`}>
      <p>{words}</p>
      {children}
    </div>
  );
}
