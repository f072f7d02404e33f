// Service accounts of the reader, on the account page.

import { t } from '../../strings/messages.ts';
import { Section } from '../../ui/section.tsx';
import { ServiceAccountList } from './service-account-list.tsx';

export function ServiceAccountSection() {
  return (
    <Section title={t('serviceAccounts.title')}>
      <ServiceAccountList of="services" projectId={null} words={t('serviceAccounts.own')} />
    </Section>
  );
}
