// Calendar feeds: created here, their addresses shown once, reset or deleted.

import { CalendarDays } from 'lucide-react';
import { useState } from 'react';
import { type CalendarFeed, endFeed, listFeeds, makeFeed, makeViewFeed, renewFeed, useAsk } from '../../commands.ts';
import { sayAgo } from '../../queries/days/days.ts';
import { feedSourcesOf } from '../../queries/views/feed-sources.ts';
import { useQuery, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { FactRow } from '../../ui/fact-row.tsx';
import { SelectField, TextField } from '../../ui/fields/field.tsx';
import { Notice } from '../../ui/list-states.tsx';
import { showCopied } from '../../ui/overlays/toaster.tsx';
import { Section } from '../../ui/section.tsx';
import { copyText } from '../../ui/text/copy-text.ts';
import { useFetchedList } from '../people/use-fetched-list.ts';

function sayUse({ access_grants: grants, last_used_at: used }: CalendarFeed): string {
  if (grants.length === 0) return t('feeds.ended');
  return used === null ? t('feeds.unused') : t('feeds.used', { when: sayAgo(used) });
}

export function FeedSection() {
  const ask = useAsk();
  const sources = useQuery(feedSourcesOf, useUserId());
  const { list: feeds, fault, busy, run } = useFetchedList(listFeeds, undefined);
  const [source, setSource] = useState('mine');
  const [address, setAddress] = useState<string | null>(null);

  const show = (work: () => Promise<{ readonly address: string } | null>): void =>
    void run(async () => setAddress((await work())?.address ?? null));

  function make() {
    const [kind = '', id = ''] = source.split(' ');
    if (kind === 'view') return ask(makeViewFeed, id);
    return ask(makeFeed, kind === 'project' ? id : null, t('common.nav.myTasks'));
  }

  return (
    <Section title={t('feeds.title')} hint={t('feeds.hint')}>
      {feeds !== null && feeds.length > 0 && (
        <ul className={shapes.stackS5} aria-label={t('feeds.title')}>
          {feeds.map((feed) => (
            <FactRow key={feed.id} icon={CalendarDays} name={feed.name} facts={[sayUse(feed)]}>
              <Button
                disabled={busy}
                aria-label={t('feeds.renewOf', { name: feed.name })}
                onClick={() => show(() => ask(renewFeed, feed.id))}
              >
                {t('feeds.renew')}
              </Button>
              <Button
                disabled={busy}
                aria-label={t('feeds.endOf', { name: feed.name })}
                onClick={() => show(() => ask(endFeed, feed.id).then(() => null))}
              >
                {t('common.delete')}
              </Button>
            </FactRow>
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
        <Button busy={busy} onClick={() => show(make)}>
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
