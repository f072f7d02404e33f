// Dialog that creates a project: a name is enough. Inviting people follows and can wait.

import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { createProject, editProject, type Proposed, readProposed, sayRefusal, useAct, useAsk } from '../../commands.ts';
import { useToday } from '../../queries/days/today.ts';
import { holdsOf, type TemplateRow, templatesFor, useQuery, useReader, useScope, useUserId } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { languageHere } from '../../strings/language.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextArea, TextField } from '../../ui/fields/field.tsx';
import { limitTo } from '../../ui/fields/limit-to.ts';
import { SwatchField } from '../../ui/fields/swatch-field.tsx';
import { Notice } from '../../ui/list-states.tsx';
import dialogStyles from '../../ui/overlays/dialog.module.css';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { nextSwatch } from '../../ui/palette.ts';
import { InviteForm } from '../people/invite-form.tsx';
import { StartDay } from '../templates/start-day.tsx';

const nothing: Proposed = { name: '', description: '', labels: [] };

export default function NewProject({ onClose }: { onClose: () => void }) {
  const store = useReader();
  const ask = useAsk();
  const act = useAct();
  const [, go] = useLocation();
  const [name, setName] = useState('');
  const [key, setKey] = useState<string | null>(null);
  const [description, setDescription] = useState('');
  const [color, setColor] = useState(() => nextSwatch(store.all('projects').map((project) => project.color)));
  const today = useToday();
  const [startDay, setStartDay] = useState<string | null>(null);
  useScope({ kind: 'templates', userId: useUserId() });
  const templates = useQuery(templatesFor, 'project', languageHere(), '');
  /** Empty: an empty board. */
  const [chosen, setChosen] = useState('');
  const [proposed, setProposed] = useState<Proposed>(nothing);
  const template = templates.find((one) => (chosen === '' ? one.built_in === 'empty' : one.id === chosen));
  const [faults, setFaults] = useState<{ name?: string; key?: string; form?: string }>({});
  const [busy, setBusy] = useState(false);
  const [made, setMade] = useState<{ readonly id: string; readonly name: string } | null>(null);
  const shownKey = key ?? proposeKey(name);

  /** What it is called and what it is for are only proposed. */
  async function pick(id: string): Promise<void> {
    setChosen(id);
    const next = id === '' ? nothing : await ask(readProposed, id).catch(() => proposed);
    setName((words) => (words === '' || words === proposed.name ? next.name : words));
    setDescription((words) => (words === '' || words === proposed.description ? next.description : words));
    setProposed(next);
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (name.trim() === '') return setFaults({ name: t('projects.nameMissing') });
    if (shownKey !== '' && !/^[A-Z0-9]{2,6}$/.test(shownKey)) return setFaults({ key: t('projects.keyWrong') });
    setBusy(true);
    try {
      const project = await ask(createProject, {
        name,
        description,
        key: shownKey || null,
        color,
        templateId: template?.id,
        startDate: startDay ?? today,
      });
      void act(editProject, project.id, { color });
      go(paths.project(project.id));
      setMade(project);
    } catch (reason) {
      setFaults({ form: sayRefusal(reason) });
    } finally {
      setBusy(false);
    }
  }

  if (made)
    return (
      <Dialog open onClose={onClose} title={t('people.invite.title', { project: made.name })}>
        <InviteForm projectId={made.id} close={t('people.invite.later')} onClose={onClose} />
      </Dialog>
    );
  return (
    <Dialog open onClose={onClose} title={t('common.nav.newProject')}>
      <form className={shapes.stackS5} onSubmit={submit} noValidate>
        {faults.form && <Notice tone="danger">{faults.form}</Notice>}
        <TextField
          label={t('common.name')}
          placeholder={t('projects.namePlaceholder')}
          {...limitTo(200)}
          autoFocus
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={faults.name ?? null}
        />
        <StartWith
          templates={templates}
          template={template}
          chosen={chosen}
          day={startDay ?? today}
          onPick={(id) => void pick(id)}
          onDay={setStartDay}
        />
        <TextField
          label={t('common.key')}
          hint={t('projects.keyHint')}
          maxLength={6}
          value={shownKey}
          onChange={(event) => setKey(event.target.value.toUpperCase())}
          error={faults.key ?? null}
        />
        <TextArea
          label={t('property.description')}
          hint={t('projects.descriptionHint')}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        <SwatchField label={t('common.colour')} value={color} onPick={setColor} />
        <div className={dialogStyles.dialogActions}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button look="main" type="submit" busy={busy}>
            {t('projects.doCreate')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function sayHolds(template: TemplateRow): string {
  const { columns, tasks, fields, views } = holdsOf(template);
  return t('starters.holds', { columns: columns.join(', '), tasks, fields, views });
}

interface StartWithProps {
  readonly templates: readonly TemplateRow[];
  readonly template: TemplateRow | undefined;
  readonly chosen: string;
  readonly day: string;
  readonly onPick: (id: string) => void;
  readonly onDay: (day: string | null) => void;
}

/** What it begins with, what that holds, and from which day on. */
function StartWith({ templates, template, chosen, day, onPick, onDay }: StartWithProps) {
  const store = useReader();
  /** Those that come with Kanbase need not say whose they are. */
  function nameOf({ name, project_id, owner_id }: TemplateRow): string {
    if (owner_id !== null) return t('starters.mine', { name });
    return project_id === null
      ? name
      : t('starters.ours', { name, project: store.get('projects', project_id)?.name ?? '' });
  }
  return (
    <>
      <SelectField
        label={t('starters.label')}
        hint={chosen === '' || template === undefined ? t('starters.hint') : sayHolds(template)}
        value={chosen}
        choices={[
          { value: '', label: t('starters.none') },
          ...templates.filter((one) => one.built_in !== 'empty').map((one) => ({ value: one.id, label: nameOf(one) })),
        ]}
        onPick={onPick}
      />
      {chosen !== '' && template !== undefined && holdsOf(template).has_days && (
        <StartDay label={t('starters.startDay')} hint={t('starters.startDayHint')} day={day} onPick={onDay} />
      )}
    </>
  );
}

/** A key from a name: initials of several words, or the first letters of one. */
function proposeKey(name: string): string {
  const words = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter(Boolean);
  if (words.length === 0) return '';
  const initials = words.map((word) => word.charAt(0)).join('');
  const key = words.length > 1 ? initials : (words[0] ?? '').slice(0, 3);
  return key.length < 2 ? '' : key.slice(0, 6);
}
