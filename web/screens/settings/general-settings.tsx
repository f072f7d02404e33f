// Name, key, description, colour, whether tasks wait for those they depend on and for their subtasks, and whether viewers may comment.

import type { FormEvent } from 'react';
import { useState } from 'react';
import { editProject, useAct } from '../../commands.ts';
import { PictureField } from '../../pieces/picture-field.tsx';
import { ProjectPicture } from '../../pieces/project-picture.tsx';
import type { ProjectRow } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { useDraft } from '../../ui/fields/draft.ts';
import { CheckField, TextArea, TextField } from '../../ui/fields/field.tsx';
import { limitTo } from '../../ui/fields/limit-to.ts';
import { SwatchField } from '../../ui/fields/swatch-field.tsx';
import { showMessage } from '../../ui/overlays/toaster.tsx';
import { Section } from './section.tsx';
import styles from './settings.module.css';

export function GeneralSettings({ project }: { project: ProjectRow }) {
  const act = useAct();
  const name = useDraft(project.name);
  const key = useDraft(project.key);
  const description = useDraft(project.description);
  const [faults, setFaults] = useState<{ name?: string; key?: string }>({});
  const dirty = name.dirty || key.dirty || description.dirty;

  function save(event: FormEvent): void {
    event.preventDefault();
    const found = {
      ...(name.text.trim() === '' ? { name: t('projects.nameMissing') } : {}),
      ...(/^[A-Z0-9]{2,6}$/.test(key.text) ? {} : { key: t('projects.keyWrong') }),
    };
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    const drafts = [name, key, description];
    void act(editProject, project.id, { name: name.text.trim(), key: key.text, description: description.text }).then(
      (accepted) => {
        if (accepted) showMessage(t('common.saved'), 2000);
        // Refused words are not lost.
        else for (const draft of drafts) draft.set(draft.text);
      },
    );
    for (const draft of drafts) draft.settle();
  }

  return (
    <Section title={t('settings.sections.general')}>
      <PictureField
        folder={`projects/${project.id}`}
        current={project.avatar_url}
        shape="rect"
        onChange={(avatar_url) => void act(editProject, project.id, { avatar_url })}
      >
        <ProjectPicture project={project} size={48} />
      </PictureField>
      <form className={shapes.stackS5} onSubmit={save} noValidate>
        <div className={`${shapes.stackS4} ${styles.settingsPair}`}>
          <TextField
            label={t('common.name')}
            {...limitTo(200)}
            value={name.text}
            onChange={(event) => name.set(event.target.value)}
            error={faults.name ?? null}
          />
          <TextField
            label={t('common.key')}
            maxLength={6}
            value={key.text}
            onChange={(event) => key.set(event.target.value.toUpperCase())}
            error={faults.key ?? null}
          />
        </div>
        <TextArea
          label={t('property.description')}
          {...limitTo(20_000)}
          value={description.text}
          onChange={(event) => description.set(event.target.value)}
        />
        {dirty && (
          <div className={shapes.lineS3}>
            <Button look="main" type="submit">
              {t('common.save')}
            </Button>
            <Button onClick={() => [name, key, description].forEach((draft) => void draft.reset())}>
              {t('common.cancel')}
            </Button>
          </div>
        )}
      </form>
      <SwatchField
        label={t('common.colour')}
        value={project.color}
        onPick={(color) => void act(editProject, project.id, { color })}
      />
      <CheckField
        label={t('settings.rule')}
        hint={t('settings.ruleHint')}
        checked={project.enforce_dependencies}
        onChange={(event) => void act(editProject, project.id, { enforce_dependencies: event.target.checked })}
      />
      <CheckField
        label={t('settings.subtaskRule')}
        hint={t('settings.subtaskRuleHint')}
        checked={project.parents_wait_for_subtasks ?? false}
        onChange={(event) => void act(editProject, project.id, { parents_wait_for_subtasks: event.target.checked })}
      />
      <CheckField
        label={t('settings.commentRule')}
        hint={t('settings.commentRuleHint')}
        checked={project.viewers_may_comment ?? false}
        onChange={(event) => void act(editProject, project.id, { viewers_may_comment: event.target.checked })}
      />
    </Section>
  );
}
