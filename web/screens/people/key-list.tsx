// Keys of members that reach a project, for its owners, who take them out of reach.

import { KeyRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type KeyOfProject, listProjectKeys, removeKeyFromProject, sayRefusal, useAsk } from '../../commands.ts';
import { nameOf, useReader } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { Loading, Notice } from '../../ui/list-states.tsx';
import { EndQuestion } from './end-question.tsx';
import styles from './people.module.css';
import { sayKeyUse } from './say-key.ts';

export default function KeyList({ projectId }: { projectId: string }) {
  const ask = useAsk();
  const store = useReader();
  const [keys, setKeys] = useState<readonly KeyOfProject[] | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [asking, setAsking] = useState<KeyOfProject | null>(null);
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    ask(listProjectKeys, projectId).then(setKeys, (reason) => setFault(sayRefusal(reason)));
  }, [ask, projectId]);

  async function remove(id: string): Promise<void> {
    setBusy(true);
    setFault(null);
    try {
      await ask(removeKeyFromProject, id, projectId);
      setKeys(await ask(listProjectKeys, projectId));
    } catch (reason) {
      setFault(sayRefusal(reason));
    }
    setBusy(false);
  }

  return (
    <>
      {keys === null && fault === null && <Loading label={t('common.loading')} />}
      {keys?.length === 0 && <p className={shapes.quiet}>{t('keys.none')}</p>}
      {keys !== null && keys.length > 0 && (
        <ul className={shapes.stackS5} aria-label={t('keys.ofProject')}>
          {keys.map((key) => (
            <li key={key.id} className={`${shapes.rowS4} ${styles.keyRow}`}>
              <KeyRound size={18} aria-hidden="true" />
              <span className={`${shapes.breaks} ${shapes.fill} ${shapes.medium}`}>
                {t('keys.of', { key: key.name, person: nameOf(store.get('profiles', key.user_id)) })}
                <span className={`${shapes.quietS} ${shapes.block} ${shapes.plain}`}>
                  {[t(`keys.scopes.${key.scope}`), sayKeyUse(key)].join(' · ')}
                </span>
              </span>
              <Button
                disabled={busy}
                aria-label={t('keys.removeOf', { name: key.name })}
                onClick={() => setAsking(key)}
              >
                {t('keys.remove')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {asking !== null && (
        <EndQuestion
          title={t('keys.removeOf', { name: asking.name })}
          words={t('keys.removeWords')}
          action={t('keys.remove')}
          onConfirm={() => void remove(asking.id)}
          onClose={() => setAsking(null)}
        />
      )}
      {fault !== null && <Notice tone="danger">{fault}</Notice>}
    </>
  );
}
