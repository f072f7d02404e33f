// Preview of a trial: accounts that would be created, adopted, deactivated and renamed, groups with their people, projects with roles, and what
// cannot be applied.

import type { NamedPeople } from '../../queries/admin/access-changes.ts';
import type { TrialPreview } from '../../queries/admin/admin-providers.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Notice } from '../../ui/list-states.tsx';
import styles from './changes.module.css';
import { PeopleConcerned } from './named-people.tsx';
import { ProjectChangeList } from './project-changes.tsx';

export function TrialChanges({ name, preview }: { name: string; preview: TrialPreview }) {
  const accounts = accountsIn(name, preview).filter(([, { total }]) => total > 0);
  const renames = [...preview.readdressed, ...preview.renames];
  const isEmpty = [accounts, renames, preview.groups, preview.projects, preview.refused].every(
    (list) => list.length === 0,
  );
  return (
    <section className={shapes.stackS3} aria-label={t('admin.trial.changesFrom', { name })}>
      {isEmpty && <p>{t('admin.trial.nothing')}</p>}
      <Refused refused={preview.refused} words={t('admin.trial.refused', { n: preview.refused.length })} />
      <ul>
        {accounts.map(([words, people]) => (
          <li key={words} className={styles.change}>
            <PeopleConcerned words={words} people={people} />
          </li>
        ))}
        {renames.map(({ from, to }) => (
          <li key={`${from} ${to}`} className={`${shapes.breaks} ${styles.change}`}>
            {t('admin.mapping.rename', { from, to })}
          </li>
        ))}
      </ul>
      {preview.groups.length > 0 && (
        <ul aria-label={t('common.nav.groups')}>
          {preview.groups.map((group) => (
            <li key={group.id} className={`${shapes.stackS2} ${styles.change}`}>
              <span className={`${shapes.breaks} ${shapes.medium}`}>{nameGroup(group)}</span>
              <PeopleConcerned
                words={t('admin.mapping.joins', { n: group.joins.total, name: group.name })}
                people={group.joins}
              />
              <PeopleConcerned
                words={t('admin.mapping.leaves', { n: group.leaves.total, name: group.name })}
                people={group.leaves}
              />
            </li>
          ))}
        </ul>
      )}
      <ProjectChangeList projects={preview.projects} />
    </section>
  );
}

const accountsIn = (name: string, preview: TrialPreview): readonly (readonly [string, NamedPeople])[] => [
  [t('admin.trial.created', { n: preview.created.total }), preview.created],
  [t('admin.trial.createdDisabled', { n: preview.created_disabled.total }), preview.created_disabled],
  [t('admin.trial.adopted', { n: preview.adopted.total, name }), preview.adopted],
  [t('admin.trial.disabled', { n: preview.disabled.total }), preview.disabled],
  [t('admin.trial.enabled', { n: preview.enabled.total }), preview.enabled],
];

function nameGroup({ name, is_new, is_gone }: TrialPreview['groups'][number]): string {
  if (is_new) return t('admin.mapping.new', { name });
  return is_gone ? t('admin.trial.goes', { name }) : name;
}

export function Refused({ refused, words }: { refused: TrialPreview['refused']; words: string }) {
  if (refused.length === 0) return null;
  return (
    <Notice tone="warn">
      <p>{words}</p>
      <ul>
        {refused.map((one) => (
          <li key={`${one.kind} ${one.email ?? one.name}`} className={shapes.breaks}>
            {sayRefused(one)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function sayRefused({ code, name, email }: TrialPreview['refused'][number]): string {
  const named = { name: email ?? name };
  if (code === 'KB853') return t('admin.trial.taken', named);
  if (code === 'KB859') return t('admin.trial.protected', named);
  return code === 'PT402' ? t('admin.trial.limit', named) : t('admin.trial.other', named);
}
