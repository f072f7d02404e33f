// Agents and other service accounts that a project owns, in its settings, for its owners.

import { t } from '../../strings/messages.ts';
import { Section } from '../settings/section.tsx';
import { ServiceAccountList, useServiceAccounts } from './service-account-list.tsx';

export default function ServiceAccountSettings({ projectId }: { projectId: string }) {
  // Asked for once: a list that came later would push away the button below it while it is pressed.
  const asked = useServiceAccounts(projectId);
  return (
    <>
      <Section title={t('agents.title')}>
        <ServiceAccountList of="agents" projectId={projectId} asked={asked} words={t('agents.ofProject')} />
      </Section>
      <Section title={t('serviceAccounts.title')}>
        <ServiceAccountList of="services" projectId={projectId} asked={asked} words={t('serviceAccounts.ofProject')} />
      </Section>
    </>
  );
}
