// Page for developers: every part of ui/ and pieces/, in the look that its address names. `npx vite` serves it at /ui, without a server or a
// database; no build has it. test/parts.test.ts names the parts that are missing.

import { createRoot } from 'react-dom/client';
import { loadRestore, revert } from '../commands.ts';
import { languages } from '../strings/language.ts';
import { type Catalog, loadMessages } from '../strings/messages.ts';
import { loadTexts } from '../strings/texts.ts';
import { openDoor } from '../sync/door.ts';
import { readPageSettings } from '../sync/page-settings.ts';
import { SyncProvider } from '../sync/react.tsx';
import { openSync } from '../sync/sync.ts';
import { applyTheme } from '../theme.ts';
import '../styles/tokens.css';
import '../styles/base.css';
import { pieceParts } from './piece-parts.tsx';
import { shownTask } from './shown.ts';
import { uiParts } from './ui-parts.tsx';

const asked = new URLSearchParams(location.search);
const chosen = <V extends string>(name: string, offered: readonly V[]): V | undefined =>
  offered.find((one) => one === asked.get(name));

const looks = { theme: ['light', 'dark'], density: ['roomy', 'compact'], language: languages } as const;
applyTheme(chosen('theme', looks.theme) ?? 'light');
document.documentElement.dataset.density = chosen('density', looks.density) ?? 'roomy';
await loadMessages(import.meta.glob<Catalog>('../strings/*/app.json', { import: 'default' }), [
  chosen('language', looks.language) ?? 'en',
]);
await loadTexts('account', 'agents', 'dashboard', 'files', 'table', 'writing');

function addressWith(name: string, value: string): string {
  const search = new URLSearchParams(asked);
  search.set(name, value);
  return `?${search}`;
}

/** Rows of nobody: closed before it has asked a server for anything, it knows what it is given here. */
const sync = openSync(openDoor({ ...readPageSettings(document), anonKey: 'none' }, location.origin), 'nobody', {
  loadRestore,
  revert,
});
sync.close();
sync.store.receive([
  { table: 'projects', row: { id: 'harbour', key: 'HAR', name: 'Harbour' } },
  { table: 'workflow_columns', row: { id: 'quay', project_id: 'harbour', name: 'Quay', kind: 'in_progress' } },
  { table: 'tasks', row: shownTask },
  { table: 'profiles', row: { id: 'agent', display_name: 'Planner', is_agent: true } },
]);

// A part that fails is one of those to be seen.
createRoot(document.getElementById('root') as HTMLElement, { onCaughtError: () => undefined }).render(
  <SyncProvider sync={sync}>
    <main style={{ height: '100dvh', overflow: 'auto', padding: '1.5rem', background: 'var(--surface)' }}>
      <nav style={{ display: 'flex', flexWrap: 'wrap', gap: '1rem' }}>
        {Object.entries(looks).flatMap(([name, values]) =>
          values.map((value) => (
            <a key={value} href={addressWith(name, value)}>
              {value}
            </a>
          )),
        )}
      </nav>
      <h1 style={{ margin: '1rem 0' }}>{document.title}</h1>
      <div style={{ columns: '26rem', columnGap: '2rem' }}>
        {[...uiParts, ...pieceParts].map(({ file, opens, Draw }) => (
          <section
            key={file}
            data-part={file}
            data-opens={opens}
            style={{ breakInside: 'avoid', marginBottom: '2rem' }}
          >
            <h2 style={{ marginBottom: '0.75rem', color: 'var(--ink-3)', fontSize: 'var(--text-s)' }}>{file}</h2>
            <div style={{ display: 'grid', gap: '0.75rem' }}>
              <Draw />
            </div>
          </section>
        ))}
      </div>
    </main>
  </SyncProvider>,
);
