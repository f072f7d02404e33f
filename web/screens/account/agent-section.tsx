// Agents: the text to paste into a coding agent, so that it works here with the rights that its person grants.

import { useState } from 'react';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields/field.tsx';
import { showCopied, showMessage } from '../../ui/overlays/toaster.tsx';
import { Section } from '../../ui/section.tsx';
import { copyText } from '../../ui/text/copy-text.ts';
import styles from './account.module.css';

const clients = ['Claude Code', 'Codex', 'Cursor', 'Gemini CLI', 'VS Code', 'other', 'command'] as const;
type Client = (typeof clients)[number];

function connectText(client: Client, origin: string): string {
  const url = `${origin}/mcp`;
  switch (client) {
    case 'Claude Code':
      return `claude mcp add --transport http kanbase ${url}`;
    case 'Codex':
      return `codex mcp add kanbase --url ${url}`;
    case 'Gemini CLI':
      return `gemini mcp add --transport http kanbase ${url}`;
    case 'VS Code':
      return `code --add-mcp '${JSON.stringify({ name: 'kanbase', type: 'http', url })}'`;
    case 'Cursor':
      return JSON.stringify({ mcpServers: { kanbase: { url } } }, null, 2);
    case 'other':
      return url;
    case 'command':
      return `npx kanbase login ${origin}\nnpx kanbase mcp`;
  }
}

async function copy(words: string): Promise<void> {
  if (await copyText(words)) showMessage(t('common.stranded.copied'), 2500);
  else showCopied(false);
}

export function AgentSection() {
  const [client, setClient] = useState<Client>('Claude Code');
  const words = connectText(client, window.location.origin);
  const names: Partial<Record<Client, string>> = { other: t('agents.other'), command: t('agents.command') };
  const hints: Partial<Record<Client, string>> = {
    'Claude Code': t('agents.start', { command: '/mcp' }),
    'Gemini CLI': t('agents.start', { command: '/mcp auth kanbase' }),
    Cursor: t('agents.file', { path: '~/.cursor/mcp.json' }),
    other: t('agents.address'),
    command: t('agents.bridge'),
  };
  return (
    <Section title={t('agents.title')} hint={t('agents.hint')}>
      <SelectField
        label={t('agents.client')}
        value={client}
        choices={clients.map((one) => ({ value: one, label: names[one] ?? one }))}
        onPick={setClient}
      />
      <pre className={`${shapes.panel} ${shapes.sunken} ${shapes.small} ${styles.agentText}`}>{words}</pre>
      <p className={`${shapes.quietS} ${shapes.plain}`}>{hints[client] ?? t('agents.terminal')}</p>
      <div className={shapes.wrapS3}>
        <Button onClick={() => void copy(words)}>{t('agents.copy')}</Button>
      </div>
    </Section>
  );
}
