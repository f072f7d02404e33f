// Text to paste into a coding agent, so that it works here: with the rights that its person grants as it signs in, or with the key of an agent.

import { useState } from 'react';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields/field.tsx';
import { showCopied, showMessage } from '../../ui/overlays/toaster.tsx';
import { copyText } from '../../ui/text/copy-text.ts';
import styles from './connect-text.module.css';

const clients = ['Claude Code', 'Codex', 'Cursor', 'Gemini CLI', 'VS Code', 'other', 'command'] as const;
type Client = (typeof clients)[number];

/** `key`: of an agent, which needs no sign-in. */
function connectText(client: Client, origin: string, key: string | null): string {
  const url = `${origin}/mcp`;
  if (key !== null) return connectWithKey(client, origin, url, key);
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

function connectWithKey(client: Client, origin: string, url: string, key: string): string {
  const headers = { Authorization: `Bearer ${key}` };
  switch (client) {
    case 'Claude Code':
    case 'Gemini CLI':
      return `${client === 'Claude Code' ? 'claude' : 'gemini'} mcp add --transport http kanbase ${url} --header "Authorization: Bearer ${key}"`;
    case 'Codex':
      return `export KANBASE_KEY=${key}\ncodex mcp add kanbase --url ${url} --bearer-token-env-var KANBASE_KEY`;
    case 'VS Code':
      return `code --add-mcp '${JSON.stringify({ name: 'kanbase', type: 'http', url, headers })}'`;
    case 'Cursor':
      return JSON.stringify({ mcpServers: { kanbase: { url, headers } } }, null, 2);
    case 'other':
      return `${url}\nAuthorization: Bearer ${key}`;
    case 'command':
      return `KANBASE_URL=${origin} KANBASE_KEY=${key} npx kanbase mcp`;
  }
}

async function copy(words: string): Promise<void> {
  if (await copyText(words)) showMessage(t('common.stranded.copied'), 2500);
  else showCopied(false);
}

/** `apiKey`: of an agent; null: one signs in. */
export function ConnectText({ apiKey }: { apiKey: string | null }) {
  const [client, setClient] = useState<Client>('Claude Code');
  const words = connectText(client, window.location.origin, apiKey);
  const names: Partial<Record<Client, string>> = { other: t('agents.other'), command: t('agents.command') };
  return (
    <>
      <SelectField
        label={t('agents.client')}
        value={client}
        choices={clients.map((one) => ({ value: one, label: names[one] ?? one }))}
        onPick={setClient}
      />
      <pre className={`${shapes.panel} ${shapes.sunken} ${shapes.small} ${styles.text}`}>{words}</pre>
      <p className={`${shapes.quietS} ${shapes.plain}`}>{apiKey === null ? hintFor(client) : hintWithKey(client)}</p>
      <div className={shapes.wrapS3}>
        <Button onClick={() => void copy(words)}>{t('agents.copy')}</Button>
      </div>
    </>
  );
}

function hintFor(client: Client): string {
  switch (client) {
    case 'Claude Code':
      return t('agents.start', { command: '/mcp' });
    case 'Gemini CLI':
      return t('agents.start', { command: '/mcp auth kanbase' });
    case 'Cursor':
      return t('agents.file', { path: cursorFile });
    case 'other':
      return t('agents.address');
    case 'command':
      return t('agents.bridge');
    default:
      return t('agents.terminal');
  }
}

function hintWithKey(client: Client): string {
  if (client === 'Cursor') return t('agents.withKey.file', { path: cursorFile });
  if (client === 'other') return t('agents.withKey.address');
  return t(client === 'command' ? 'agents.withKey.command' : 'agents.withKey.terminal');
}

const cursorFile = '~/.cursor/mcp.json';
