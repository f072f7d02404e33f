// Paged list of the admin pages, with a search and a choice of kinds.

import { type ReactNode, useDeferredValue, useState } from 'react';
import { type Read, useAsked } from '../../queries/admin/admin.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/fields/field.tsx';
import { Loading, Notice, Skeleton } from '../../ui/list-states.tsx';
import styles from './admin.module.css';
import { sayAdminRefusal } from './say-admin-refusal.ts';

const pageSize = 50;

interface AdminListProps<K extends string, T> {
  readonly label: string;
  readonly search: string;
  readonly which: string;
  /** The first one is what is shown at first. */
  readonly kinds: readonly { readonly value: K; readonly label: string }[];
  readonly read: (sync: Parameters<Read<T>>[0], words: string, kind: string, skip: number) => Promise<T>;
  readonly rows: (data: T) => ReactNode;
  /** Behind the fields. */
  readonly beside?: ReactNode;
  readonly dialogs: (again: () => void) => ReactNode;
}

export function AdminList<K extends string, T extends { readonly total: number }>({
  label,
  search,
  which,
  kinds,
  read,
  rows,
  beside,
  dialogs,
}: AdminListProps<K, T>) {
  const [words, setWords] = useState('');
  const [kind, setKind] = useState(kinds[0]?.value as K);
  const [skip, setSkip] = useState(0);
  const asked = useDeferredValue(words.trim());
  const { data, failed, again } = useAsked(`${asked} ${kind} ${skip}`, (sync) => read(sync, asked, kind, skip));
  const last = data ? Math.min(skip + pageSize, data.total) : 0;
  return (
    <>
      <div className={`${shapes.flowS4} ${styles.narrow}`}>
        <TextField
          label={search}
          bare
          type="search"
          placeholder={search}
          value={words}
          onChange={(event) => {
            setWords(event.target.value);
            setSkip(0);
          }}
        />
        <SelectField
          label={which}
          bare
          value={kind}
          choices={kinds}
          onPick={(picked) => {
            setKind(picked);
            setSkip(0);
          }}
        />
        {beside}
      </div>
      {failed && (
        <Notice tone="warn">
          {sayAdminRefusal(failed)} <Button onClick={again}>{t('common.retry')}</Button>
        </Notice>
      )}
      {data === null && !failed && (
        <Loading label={t('common.loading')}>
          <Skeleton width="60%" />
        </Loading>
      )}
      {data?.total === 0 && <p>{t('common.nothingFound')}</p>}
      {data && data.total > 0 && <ul aria-label={label}>{rows(data)}</ul>}
      {data && data.total > pageSize && (
        <div className={`${shapes.flowS3} ${styles.pages}`}>
          <Button disabled={skip === 0} onClick={() => setSkip(Math.max(0, skip - pageSize))}>
            {t('admin.newer')}
          </Button>
          <span className="numbers">{t('admin.shown', { from: skip + 1, to: last, total: data.total })}</span>
          <Button disabled={last >= data.total} onClick={() => setSkip(skip + pageSize)}>
            {t('admin.older')}
          </Button>
        </div>
      )}
      {dialogs(again)}
    </>
  );
}
