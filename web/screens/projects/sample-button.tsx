// Begins with a sample project: something to try things on, at one press.

import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { createProject, fillProject, sayRefusal, useAsk } from '../../commands.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { showError } from '../../ui/toaster.tsx';
import { readStarter } from './starters.ts';
import { loadStarterTexts } from './with-starter-texts.ts';

export function SampleButton() {
  const ask = useAsk();
  const [, go] = useLocation();
  const [busy, setBusy] = useState(false);

  async function make(): Promise<void> {
    setBusy(true);
    try {
      await loadStarterTexts();
      const project = await ask(createProject, {
        name: t('starters.sample.name'),
        description: t('starters.sample.description'),
        key: null,
        color: '',
      });
      await ask(fillProject, project.id, readStarter('sample'));
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
