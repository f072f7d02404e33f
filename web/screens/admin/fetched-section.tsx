// Section of the admin pages that fetches its own data, so that a failure of one leaves the others.

import type { ReactNode } from 'react';
import { type Read, useAsked } from '../../queries/admin/admin.ts';
import { t } from '../../strings/messages.ts';
import { Loading, Notice, Skeleton } from '../../ui/list-states.tsx';
import { Section } from '../../ui/section.tsx';
import { sayAdminRefusal } from './say-admin-refusal.ts';

interface AskedSectionProps<T> {
  readonly title: string;
  /** Asked again when it changes. */
  readonly round: number;
  readonly read: Read<T>;
  readonly children: (data: T) => ReactNode;
}

export function FetchedSection<T>({ title, round, read, children }: AskedSectionProps<T>) {
  const { data, failed } = useAsked(`${title} ${round}`, read);
  return (
    <Section title={title} wide>
      {failed && <Notice tone="warn">{sayAdminRefusal(failed)}</Notice>}
      {data === null && !failed && (
        <Loading label={t('common.loading')}>
          <Skeleton width="60%" />
        </Loading>
      )}
      {data !== null && children(data)}
    </Section>
  );
}
