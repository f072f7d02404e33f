// Mapping of the groups of the OpenID Connect provider: edited as lines, previewed with the people who would join and leave, then applied.

import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { faultOfPairs, type GroupPair, trimPairs } from '../../../contract/group-pairs.ts';
import { changeGroupMapping, previewGroupMapping } from '../../commands/admin-requests.ts';
import { useAsk } from '../../commands.ts';
import { useAsked } from '../../queries/admin/admin.ts';
import {
  type GroupMapping as Mapping,
  type MappingPreview,
  readGroupMapping,
} from '../../queries/admin/admin-group-mapping.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button, IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { limitTo } from '../../ui/fields/limit-to.ts';
import { Loading, Notice } from '../../ui/list-states.tsx';
import { Section } from '../../ui/section.tsx';
import styles from './group-mapping.module.css';
import { MappingChanges } from './mapping-changes.tsx';
import { sayAdminRefusal } from './say-admin-refusal.ts';

export function GroupMapping() {
  const { data, failed, again } = useAsked('group-mapping', readGroupMapping);
  const [applied, setApplied] = useState(false);
  return (
    <Section title={t('admin.mapping.title')} hint={t('admin.mapping.hint')} wide>
      {failed && (
        <Notice tone="warn">
          {sayAdminRefusal(failed)} <Button onClick={again}>{t('common.retry')}</Button>
        </Notice>
      )}
      {data === null && !failed && <Loading label={t('common.loading')} />}
      {data?.provider === null && <p className={shapes.soft}>{t('admin.mapping.noProvider')}</p>}
      {data && data.provider !== null && data.claim === null && (
        <p className={shapes.soft}>{t('admin.mapping.noClaim')}</p>
      )}
      {data && data.provider !== null && data.claim !== null && (
        <>
          {applied && <Notice tone="good">{t('admin.mapping.applied')}</Notice>}
          <Lines
            key={JSON.stringify(data.groups)}
            mapping={data}
            onEdit={() => setApplied(false)}
            onApplied={() => {
              setApplied(true);
              again();
            }}
          />
        </>
      )}
    </Section>
  );
}

interface LinesProps {
  readonly mapping: Mapping;
  readonly onEdit: () => void;
  readonly onApplied: () => void;
}

interface Line extends GroupPair {
  readonly id: number;
  readonly isNew?: true;
}

function Lines({ mapping, onEdit, onApplied }: LinesProps) {
  const ask = useAsk();
  const [lines, setLines] = useState<readonly Line[]>(() => mapping.groups.map((pair, id) => ({ ...pair, id })));
  const [preview, setPreview] = useState<MappingPreview | null>(null);
  const [busy, setBusy] = useState<'preview' | 'apply' | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const groups = trimPairs(lines.map(({ value, name }) => ({ value, name })));
  const isChanged = JSON.stringify(groups) !== JSON.stringify(mapping.groups);
  const unused = mapping.values.filter(({ value }) => !groups.some((group) => group.value === value));

  // What was previewed is of the lines as they were.
  function edit(next: readonly Line[]): void {
    setLines(next);
    setPreview(null);
    setFault(null);
    onEdit();
  }
  const add = (value = ''): void =>
    edit([
      ...lines,
      { id: Math.max(-1, ...lines.map(({ id }) => id)) + 1, value, name: value.slice(0, 100), isNew: true },
    ]);

  async function send(kind: 'preview' | 'apply'): Promise<void> {
    const wrong = faultOfPairs(groups);
    setFault(wrong && t(`admin.mapping.${wrong}`));
    if (wrong !== null || busy !== null) return;
    setBusy(kind);
    try {
      if (kind === 'preview') setPreview(await ask(previewGroupMapping, groups));
      else {
        await ask(changeGroupMapping, groups);
        onApplied();
      }
    } catch (reason) {
      const { code } = (reason ?? {}) as { readonly code?: string };
      setFault(code === 'KB804' ? t('admin.change.locked') : sayAdminRefusal(reason));
    }
    setBusy(null);
  }

  return (
    <form
      className={shapes.stackS5}
      onSubmit={(event) => {
        event.preventDefault();
        void send('preview');
      }}
      noValidate
    >
      {mapping.is_locked && <Notice tone="warn">{t('admin.mapping.locked')}</Notice>}
      {lines.length === 0 && <p className={shapes.soft}>{t('admin.mapping.all')}</p>}
      {lines.length > 0 && (
        <ul className={shapes.stackS4} aria-label={t('admin.mapping.title')}>
          {lines.map((line, at) => (
            <LineFields
              key={line.id}
              line={line}
              at={at}
              mapping={mapping}
              onChange={(next) => edit(lines.with(at, next))}
              onRemove={() => edit(lines.toSpliced(at, 1))}
            />
          ))}
        </ul>
      )}
      <div className={shapes.wrapS3}>
        <Button icon={<Plus size={16} />} onClick={() => add()}>
          {t('admin.mapping.add')}
        </Button>
        {unused.slice(0, 12).map(({ value, people }) => (
          <Button
            key={value}
            icon={<Plus size={14} />}
            onClick={() => add(value)}
            aria-label={t('admin.mapping.addValue', { value })}
          >
            <span className={shapes.breaks}>{t('admin.mapping.known', { value, n: people })}</span>
          </Button>
        ))}
      </div>
      {fault && <Notice tone="danger">{fault}</Notice>}
      <div className={shapes.flowS3}>
        <Button look={preview === null ? 'main' : 'plain'} type="submit" busy={busy === 'preview'}>
          {t('admin.mapping.preview')}
        </Button>
        {isChanged && (
          <Button onClick={() => edit(mapping.groups.map((pair, id) => ({ ...pair, id })))}>
            {t('common.cancel')}
          </Button>
        )}
      </div>
      {preview && (
        <>
          <MappingChanges preview={preview} />
          {!mapping.is_locked && (
            <div className={shapes.flowS3}>
              <Button look="main" busy={busy === 'apply'} onClick={() => void send('apply')}>
                {t('admin.mapping.apply')}
              </Button>
            </div>
          )}
        </>
      )}
    </form>
  );
}

interface LineFieldsProps {
  readonly line: Line;
  readonly at: number;
  readonly mapping: Mapping;
  readonly onChange: (line: Line) => void;
  readonly onRemove: () => void;
}

function LineFields({ line, at, mapping, onChange, onRemove }: LineFieldsProps) {
  return (
    <li className={`${shapes.stackS3} ${shapes.stackS3} ${styles.line}`}>
      <TextField
        label={t('admin.mapping.value', { claim: mapping.claim ?? '' })}
        {...limitTo(400)}
        autoFocus={line.isNew && line.value === ''}
        autoComplete="off"
        spellCheck={false}
        value={line.value}
        hint={sayPeople(mapping, line.value.trim())}
        onChange={(event) => onChange({ ...line, value: event.target.value })}
      />
      <TextField
        label={t('admin.mapping.group')}
        {...limitTo(100)}
        autoFocus={line.isNew && line.value !== ''}
        autoComplete="off"
        value={line.name}
        onChange={(event) => onChange({ ...line, name: event.target.value })}
      />
      <IconButton
        label={t('admin.mapping.remove', { value: line.value || line.name || String(at + 1) })}
        onClick={onRemove}
      >
        <X size={16} />
      </IconButton>
    </li>
  );
}

function sayPeople({ values }: Mapping, value: string): string | undefined {
  const found = values.find((one) => one.value === value);
  return found && t('admin.mapping.people', { n: found.people });
}
