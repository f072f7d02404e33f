// Begins with a sample project: something to try things on, at one press.

import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { createProject, readProposed, sayRefusal, useAsk } from '../../commands.ts';
import { localDay } from '../../queries/days.ts';
import { templatesFor, useReader, useRefresh, useUserId } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { languageHere } from '../../strings/language.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { showError } from '../../ui/toaster.tsx';

export function SampleButton() {
  const ask = useAsk();
  const store = useReader();
  const refresh = useRefresh();
  const userId = useUserId();
  const [, go] = useLocation();
  const [busy, setBusy] = useState(false);

  async function make(): Promise<void> {
    setBusy(true);
    try {
      await refresh({ kind: 'templates', userId });
      const sample = templatesFor.read(store, 'project', languageHere(), '').find((one) => one.built_in === 'sample');
      if (sample === undefined) throw new Error(t('common.refused.gone'));
      const proposed = await ask(readProposed, sample.id);
      const project = await ask(createProject, {
        ...proposed,
        key: null,
        color: '',
        templateId: sample.id,
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
