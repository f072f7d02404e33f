// Begins with a sample project: something to try things on, at one press.

import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { createProject, findBuiltIn, readProposed, sayRefusal, useAsk } from '../../commands.ts';
import { localDay } from '../../queries/days/days.ts';
import { paths } from '../../routes.ts';
import { languageHere } from '../../strings/language.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { showError } from '../../ui/overlays/toaster.tsx';

export function SampleButton() {
  const ask = useAsk();
  const [, go] = useLocation();
  const [busy, setBusy] = useState(false);

  async function make(): Promise<void> {
    setBusy(true);
    try {
      const templateId = await ask(findBuiltIn, 'sample', languageHere());
      if (templateId === undefined) throw new Error(t('common.refused.gone'));
      const proposed = await ask(readProposed, templateId);
      const project = await ask(createProject, {
        ...proposed,
        key: null,
        color: '',
        templateId,
        startDate: localDay(new Date()),
      });
      go(paths.project(project.id));
    } catch (reason) {
      setBusy(false);
      showError(t('steps.notMade'), sayRefusal(reason));
    }
  }

  return (
    <Button icon={<FlaskConical size={16} />} busy={busy} onClick={() => void make()}>
      {t('steps.sample')}
    </Button>
  );
}
