// Agents on the account page: the text that connects one's own coding agent, and agents that one has made.

import { t } from '../../strings/messages.ts';
import { Section } from '../../ui/section.tsx';
import { ConnectText } from '../agents/connect-text.tsx';
import { ServiceAccountList, useServiceAccounts } from '../service-accounts/service-account-list.tsx';

export function AgentSection() {
  const asked = useServiceAccounts(null);
  return (
    <Section title={t('agents.title')} hint={t('agents.hint')}>
      <ConnectText apiKey={null} />
      <ServiceAccountList of="agents" projectId={null} asked={asked} words={t('agents.own')} />
    </Section>
  );
}
