// Calendar feeds: created here, their addresses shown once, reset or deleted.

import { CalendarDays } from 'lucide-react';
import { useEffect, useState } from 'react';
import {
  type CalendarFeed,
  endFeed,
  listFeeds,
  makeFeed,
  makeViewFeed,
  renewFeed,
  sayRefusal,
  useAsk,
} from '../../commands.ts';
import { sayAgo } from '../../queries/days/days.ts';
import { feedSourcesOf } from '../../queries/views/feed-sources.ts';
import { useQuery, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/fields/field.tsx';
import { Notice } from '../../ui/list-states.tsx';
import { showCopied } from '../../ui/overlays/toaster.tsx';
import { Section } from '../../ui/section.tsx';
import { copyText } from '../../ui/text/copy-text.ts';
import styles from './account.module.css';

function sayUse({ access_grants: grants, last_used_at: used }: CalendarFeed): string {
  if (grants.length === 0) return t('feeds.ended');
  return used === null ? t('feeds.unused') : t('feeds.used', { when: sayAgo(used) });
}

export function FeedSection() {
  const ask = useAsk();
  const sources = useQuery(feedSourcesOf, useUserId());
  const [feeds, setFeeds] = useState<readonly CalendarFeed[]>([]);
  const [source, setSource] = useState('mine');
  const [address, setAddress] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    ask(listFeeds).then(setFeeds, (reason) => setFault(sayRefusal(reason)));
  }, [ask]);

  /** One after the other; the list is read again afterwards. */
  async function run(work: () => Promise<{ readonly address: string } | null>): Promise<void> {
    setBusy(true);
    setFault(null);
    try {
      const made = await work();
      setAddress(made?.address ?? null);
      setFeeds(await ask(listFeeds));
    } catch (reason) {
      setFault(sayRefusal(reason));
    } finally {
      setBusy(false);
    }
  }

  function make() {
    const [kind = '', id = ''] = source.split(' ');
    if (kind === 'view') return ask(makeViewFeed, id);
    return ask(makeFeed, kind === 'project' ? id : null, t('common.nav.myTasks'));
  }

  return (
    <Section title={t('feeds.title')} hint={t('feeds.hint')}>
      {feeds.length > 0 && (
        <ul className={`${shapes.stackS5} ${styles.sessionList}`} aria-label={t('feeds.title')}>
          {feeds.map((feed) => (
            <li key={feed.id} className={`${shapes.rowS4} ${styles.accountRow}`}>
              <CalendarDays size={18} aria-hidden="true" />
              <span className={`${shapes.breaks} ${shapes.fill} ${shapes.medium} ${styles.accountRowWords}`}>
                {feed.name}
                <span className={`${shapes.quietS} ${shapes.block} ${shapes.plain}`}>{sayUse(feed)}</span>
              </span>
              <Button
                disabled={busy}
                aria-label={t('feeds.renewOf', { name: feed.name })}
                onClick={() => void run(() => ask(renewFeed, feed.id))}
              >
                {t('feeds.renew')}
              </Button>
              <Button
                disabled={busy}
                aria-label={t('feeds.endOf', { name: feed.name })}
                onClick={() => void run(() => ask(endFeed, feed.id).then(() => null))}
              >
                {t('common.delete')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <SelectField
        label={t('feeds.of')}
        value={source}
        choices={[
          { value: 'mine', label: t('common.nav.myTasks') },
          ...sources.map(({ kind, id, name }) => ({ value: `${kind} ${id}`, label: name })),
        ]}
        onPick={setSource}
      />
      <div className={shapes.wrapS3}>
        <Button busy={busy} onClick={() => void run(make)}>
          {t('feeds.make')}
        </Button>
      </div>
      {address !== null && (
        <>
          <TextField
            label={t('feeds.address')}
            hint={t('feeds.once')}
            readOnly
            value={address}
            onFocus={(event) => event.target.select()}
          />
          <div className={shapes.wrapS3}>
            <Button onClick={() => void copyText(address).then(showCopied)}>{t('common.copyLink')}</Button>
          </div>
        </>
      )}
      {fault !== null && <Notice tone="danger">{fault}</Notice>}
    </Section>
  );
}
