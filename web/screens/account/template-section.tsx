// The templates one kept for oneself.

import { t } from '../../strings/messages.ts';
import { Section } from '../../ui/section.tsx';
import { TemplateList } from '../templates/template-list.tsx';

export function TemplateSection() {
  return (
    <Section title={t('templates.mine')} hint={t('templates.mineHint')}>
      <TemplateList projectId="" canWrite />
    </Section>
  );
}
