// All projects one sees, taken along.

import { t } from '../../strings/messages.ts';
import { Section } from '../../ui/section.tsx';
import { ExportPart } from '../exports/export-part.tsx';

export function ExportsSection() {
  return (
    <Section title={t('exports.all')} hint={t('exports.hint')}>
      <ExportPart projectId={null} />
    </Section>
  );
}
