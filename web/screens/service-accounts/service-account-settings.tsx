// Agents and other service accounts that a project owns, in its settings, for its owners.

import { t } from '../../strings/messages.ts';
import { Section } from '../settings/section.tsx';
import { ServiceAccountList } from './service-account-list.tsx';

export default function ServiceAccountSettings({ projectId }: { projectId: string }) {
  return (
    <>
      <Section title={t('agents.title')}>
        <ServiceAccountList of="agents" projectId={projectId} words={t('agents.ofProject')} />
      </Section>
      <Section title={t('serviceAccounts.title')}>
        <ServiceAccountList of="services" projectId={projectId} words={t('serviceAccounts.ofProject')} />
      </Section>
    </>
  );
}
