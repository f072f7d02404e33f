// Service accounts of the reader, on the account page.

import { t } from '../../strings/messages.ts';
import { Section } from '../../ui/section.tsx';
import { ServiceAccountList, useServiceAccounts } from './service-account-list.tsx';

export function ServiceAccountSection() {
  const asked = useServiceAccounts(null);
  return (
    <Section title={t('serviceAccounts.title')}>
      <ServiceAccountList of="services" projectId={null} asked={asked} words={t('serviceAccounts.own')} />
    </Section>
  );
}
