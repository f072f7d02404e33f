// Preview of an import, before anything is written: target, columns, people, board and problems. Every choice updates it.

import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { beginImport, forgetImport, lookAtImport } from '../../commands/import-requests.ts';
import { useAsk } from '../../commands.ts';
import type { ImportChoices, ImportJob, ImportPreview } from '../../queries/projects/imports.ts';
import { useQuery, useScope, useUserId, writableProjects } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/fields/field.tsx';
import { limitTo } from '../../ui/fields/limit-to.ts';
import { Loading, Notice } from '../../ui/list-states.tsx';
import { Board } from './board.tsx';
import { Columns } from './columns.tsx';
import styles from './import.module.css';
import { People } from './people.tsx';
import { Problems } from './problems.tsx';
import { exported, productName } from './products.ts';
import { sayImportRefusal } from './say-import-refusal.ts';

const nothingChosen: ImportChoices = { project: null, from: null, mapping: null, dates: null, people: {} };

export function Preview({ job, onBegun }: { job: ImportJob; onBegun: () => void }) {
  const ask = useAsk();
  const [, go] = useLocation();
  const [choices, setChoices] = useState(nothingChosen);
  const [name, setName] = useState<string | null>(null);
  const [seen, setSeen] = useState<ImportPreview | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(true);
  const choose = (more: Partial<ImportChoices>): void => setChoices((old) => ({ ...old, ...more }));

  useEffect(() => {
    let late = false;
    setBusy(true);
    ask(lookAtImport, job.id, choices)
      .then(
        (preview) => {
          if (late) return;
          setSeen(preview);
          setFault(null);
        },
        (reason) => !late && setFault(sayImportRefusal(reason)),
      )
      .finally(() => !late && setBusy(false));
    return () => {
      late = true;
    };
  }, [ask, job.id, choices]);

  async function begin(): Promise<void> {
    setBusy(true);
    try {
      // Of those whom other choices named, say of another column, nobody joins.
      const named = new Set(seen?.people.map(({ key }) => key));
      await ask(beginImport, job.id, {
        ...choices,
        people: Object.fromEntries(Object.entries(choices.people).filter(([key]) => named.has(key))),
        name: (name ?? seen?.name ?? '').trim() || productName(job.product),
      });
      onBegun();
    } catch (reason) {
      setFault(sayImportRefusal(reason));
      setBusy(false);
    }
  }

  return (
    <div aria-busy={busy}>
      {fault && <Notice tone="danger">{fault}</Notice>}
      <Target
        job={job}
        seen={seen}
        choices={choices}
        choose={choose}
        name={name ?? seen?.name ?? ''}
        onName={setName}
      />
      {seen === null && busy && <Loading label={t('import.reading')} />}
      {seen !== null && (
        <>
          <p className={`${shapes.medium} ${styles.counts}`}>{t('import.counts', seen.counts)}</p>
          {!seen.keepsDates && <Notice>{t('import.noDates')}</Notice>}
          <Board lists={seen.lists} />
          {seen.columns !== null && <Columns columns={seen.columns} choose={choose} />}
          <People people={seen.people} mayInvite={seen.mayInvite} choices={choices} choose={choose} />
          <Problems problems={seen.problems} count={seen.problemCount} />
        </>
      )}
      <p className={`${shapes.wrapS3} ${styles.actions}`}>
        <Button look="main" busy={busy} disabled={seen === null} onClick={() => void begin()}>
          {t('import.title')}
        </Button>
        <Button
          look="quiet"
          onClick={() => {
            void ask(forgetImport, job.id).catch(() => undefined);
            go(paths.imports);
          }}
        >
          {t('import.other')}
        </Button>
      </p>
    </div>
  );
}

interface TargetProps {
  readonly job: ImportJob;
  readonly seen: ImportPreview | null;
  readonly choices: ImportChoices;
  readonly name: string;
  readonly choose: (more: Partial<ImportChoices>) => void;
  readonly onName: (name: string) => void;
}

/** Where it goes, and what it is taken for. */
function Target({ job, seen, choices, name, choose, onName }: TargetProps) {
  const userId = useUserId();
  useScope({ kind: 'me', userId });
  const projects = useQuery(writableProjects, userId);
  const product = choices.from ?? seen?.product ?? job.product;
  const ordered =
    choices.dates !== null ||
    seen?.problems.some(({ kind }) => kind === 'unclear_dates' || kind === 'mixed_dates') === true;
  return (
    <div className={`${shapes.stackS4} ${styles.target}`}>
      <SelectField
        label={t('import.from')}
        hint={job.fileName}
        value={product}
        choices={exported.map((one) => ({ value: one as string, label: productName(one) }))}
        onPick={(from) => choose({ from, mapping: null })}
      />
      <SelectField
        label={t('import.into')}
        value={choices.project ?? ''}
        choices={[
          { value: '', label: t('import.newProject') },
          ...projects.map((project) => ({ value: project.id, label: project.name })),
        ]}
        onPick={(project) => choose({ project: project === '' ? null : project, people: {} })}
      />
      {choices.project === null && (
        <TextField
          label={t('import.name')}
          value={name}
          {...limitTo(200)}
          onChange={(event) => onName(event.target.value)}
        />
      )}
      {ordered && (
        <SelectField
          label={t('import.dates')}
          value={choices.dates ?? ''}
          choices={[
            { value: '', label: t('import.datesOf.file') },
            { value: 'dmy', label: t('import.datesOf.dmy') },
            { value: 'mdy', label: t('import.datesOf.mdy') },
          ]}
          onPick={(dates) => choose({ dates: dates === '' ? null : dates })}
        />
      )}
    </div>
  );
}
