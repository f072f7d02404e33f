// Box below the activity of an open session: an answer to what its agent asks, or a message to it.

import { type FormEvent, useState } from 'react';
import { answerAgent } from '../../commands/agent-requests.ts';
import type { AgentSession } from '../../queries/agents/sessions.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/fields/field.tsx';
import type { SessionRequest } from './use-session-request.ts';

const mostCharacters = 10_000;

export function AnswerForm({ session, request }: { session: AgentSession; request: SessionRequest }) {
  const [words, setWords] = useState('');
  const isAsked = session.state === 'awaiting_input';
  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (words.trim() === '' || request.busy) return;
    if (await request.run((ask) => ask(answerAgent, session.id, words))) setWords('');
  }
  return (
    <form className={shapes.stackS3} onSubmit={(event) => void send(event)}>
      <TextArea
        label={t(isAsked ? 'agents.answer' : 'agents.message')}
        rows={2}
        maxLength={mostCharacters}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send(event);
        }}
      />
      <div className={shapes.wrapS3}>
        <Button type="submit" look={isAsked ? 'main' : 'plain'} busy={request.busy} disabled={words.trim() === ''}>
          {t('agents.send')}
        </Button>
      </div>
    </form>
  );
}
