// Handing a task over to an agent: which one, and words for it.

import { type FormEvent, useState } from 'react';
import { delegateToAgent } from '../../commands/agent-requests.ts';
import { sayRefusal, useAsk } from '../../commands.ts';
import { agentsIn } from '../../queries/agents/at-work.ts';
import { type TaskRow, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextArea } from '../../ui/fields/field.tsx';
import { Notice } from '../../ui/list-states.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { showMessage } from '../../ui/overlays/toaster.tsx';

const mostCharacters = 10_000;
/** The next task often goes to the same one. */
let lastAgent = '';

export default function DelegateDialog({ task, onClosed }: { task: TaskRow; onClosed: () => void }) {
  const ask = useAsk();
  const agents = useQuery(agentsIn, task.project_id);
  const [open, setOpen] = useState(true);
  const [picked, setPicked] = useState(lastAgent);
  const [words, setWords] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const agent = agents.find(({ id }) => id === picked) ?? agents[0];

  async function delegate(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (agent === undefined || busy) return;
    setBusy(true);
    setFault(null);
    try {
      await ask(delegateToAgent, task.id, agent.id, words);
      lastAgent = agent.id;
      showMessage(t('agents.delegate.done', { name: agent.name }));
      setOpen(false);
    } catch (reason) {
      setFault(sayRefusal(reason));
      setBusy(false);
    }
  }
  return (
    <Dialog
      open={open}
      onClose={() => setOpen(false)}
      onClosed={onClosed}
      title={t('agents.delegate.title')}
      description={t('agents.delegate.hint')}
    >
      <form className={shapes.stackS5} onSubmit={(event) => void delegate(event)}>
        <p className={`${shapes.medium} ${shapes.breaks}`}>{task.title}</p>
        <SelectField
          label={t('common.agent')}
          value={agent?.id ?? ''}
          choices={agents.map(({ id, name }) => ({ value: id, label: name }))}
          onPick={setPicked}
        />
        <TextArea
          label={t('agents.delegate.words')}
          hint={t('agents.delegate.wordsHint')}
          rows={4}
          maxLength={mostCharacters}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        {fault !== null && <Notice tone="danger">{fault}</Notice>}
        <Button type="submit" look="main" busy={busy} disabled={agent === undefined}>
          {t('agents.delegate.do')}
        </Button>
      </form>
    </Dialog>
  );
}
