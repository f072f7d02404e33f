// The lines of the palette: a task, a project or a view of one, something to do; and what the keys do in it.

import { Command } from 'cmdk';
import { Plus } from 'lucide-react';
import { memo } from 'react';
import { ProjectPicture } from '../../pieces/project-picture.tsx';
import { PriorityMark } from '../../pieces/task-badges.tsx';
import {
  findProjects,
  keyOfTask,
  matchWords,
  type ProjectRow,
  plain,
  type Reader,
  type TaskRow,
  useReader,
} from '../../queries.ts';
import { type ProjectView, projectViews } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import type { Offer } from '../../ui/fields/offer-list.tsx';
import { Keys } from '../../ui/keys.tsx';
import menuStyles from '../../ui/overlays/menu.module.css';
import styles from './palette.module.css';
import type { PaletteAction } from './palette-actions.ts';
import { createId, lineOfferId } from './palette-ids.ts';
import type { PaletteTask } from './use-palette-task.ts';

const shownViews = 3;

/** What the keys do in here. */
export function Hints() {
  return (
    <span className={`${shapes.rowS2} ${styles.paletteHints}`} aria-hidden="true">
      <Keys keys="up down" /> {t('search.hintMove')} <Keys keys="enter" /> {t('search.hintOpen')} <Keys keys="escape" />{' '}
      {t('search.hintClose')}
    </span>
  );
}

interface TaskItemProps {
  readonly task: TaskRow;
  readonly note?: string;
  readonly onOpen: (task: TaskRow) => void;
}

export const TaskItem = memo(function TaskItem({ task, note, onOpen }: TaskItemProps) {
  const store = useReader();
  const state = task.archived_at !== null ? t('search.archived') : task.completed_at !== null ? t('search.done') : note;
  return (
    <Command.Item
      value={task.id}
      className={`${menuStyles.menuItem} ${styles.paletteItem}`}
      onSelect={() => onOpen(task)}
    >
      <PriorityMark priority={task.priority} />
      <span className={`${shapes.rigid} ${shapes.soft} ${styles.paletteKey} numbers`}>{keyOfTask(store, task)}</span>
      <span className={`${shapes.words} ${shapes.fill}`}>{task.title}</span>
      {state && <span className={`${shapes.softXs} ${shapes.cut} ${styles.paletteNote}`}>{state}</span>}
    </Command.Item>
  );
});

interface ProjectItemProps {
  readonly project: ProjectRow;
  readonly view?: ProjectView;
  readonly onOpen: (project: ProjectRow, view?: ProjectView) => void;
}

export const ProjectItem = memo(function ProjectItem({ project, view, onOpen }: ProjectItemProps) {
  return (
    <Command.Item
      value={view === undefined ? `project ${project.id}` : viewId(project, view)}
      className={`${menuStyles.menuItem} ${styles.paletteItem}`}
      onSelect={() => onOpen(project, view)}
    >
      <span className={menuStyles.menuIcon}>
        <ProjectPicture project={project} size={16} />
      </span>
      <span className={`${shapes.rigid} ${shapes.soft} ${styles.paletteKey} numbers`}>{project.key}</span>
      <span className={`${shapes.words} ${shapes.fill}`}>
        {view === undefined ? project.name : sayView(project, view)}
      </span>
      {project.archived_at !== null && (
        <span className={`${shapes.softXs} ${shapes.cut} ${styles.paletteNote}`}>{t('search.archived')}</span>
      )}
    </Command.Item>
  );
});

interface OffersProps {
  readonly heading: string;
  readonly offers: readonly PaletteAction[];
  readonly onPick: (effect: () => void) => void;
}

export function Offers({ heading, offers, onPick }: OffersProps) {
  return (
    <Command.Group heading={heading}>
      {offers.map((offer) => (
        <OfferItem key={offer.id} offer={offer} onPick={onPick} />
      ))}
    </Command.Group>
  );
}

interface OfferItemProps {
  readonly offer: PaletteAction;
  readonly onPick: (effect: () => void) => void;
}

const OfferItem = memo(function OfferItem({ offer, onPick }: OfferItemProps) {
  return (
    <Command.Item
      value={`action ${offer.id}`}
      className={`${menuStyles.menuItem} ${styles.paletteItem}`}
      onSelect={() => onPick(offer.effect)}
    >
      <span className={menuStyles.menuIcon}>{offer.icon}</span>
      <span className={`${shapes.words} ${shapes.fill}`}>{offer.label}</span>
      {offer.keys && <Keys keys={offer.keys.split('|')[0] ?? ''} hint />}
    </Command.Item>
  );
});

interface LineItemsProps {
  /** Not offered as long as nothing else is found. */
  readonly task: PaletteTask | null;
  readonly offers: readonly Offer[];
  readonly onCreate: (effect: () => void) => void;
  readonly onOffer: (offer: Offer) => void;
}

/** The task that what is typed would be, and names for what is typed after a sign. */
export function LineItems({ task, offers, onCreate, onOffer }: LineItemsProps) {
  if (task === null) return null;
  return (
    <Command.Group heading={t('common.newTask')}>
      <Command.Item
        value={createId}
        className={`${menuStyles.menuItem} ${styles.paletteItem}`}
        onSelect={() => onCreate(task.create)}
      >
        <span className={menuStyles.menuIcon}>
          <Plus size={16} />
        </span>
        <span className={`${shapes.words} ${shapes.fill}`}>{t('search.create', { title: task.title })}</span>
        <span className={`${shapes.softXs} ${shapes.cut} ${styles.paletteNote}`}>{task.project.name}</span>
      </Command.Item>
      {offers.map((offer) => (
        <Command.Item
          key={offer.id}
          value={lineOfferId(offer.id)}
          className={`${menuStyles.menuItem} ${styles.paletteItem}`}
          onSelect={() => onOffer(offer)}
        >
          <span className={menuStyles.menuIcon}>{offer.icon}</span>
          <span className={`${shapes.words} ${shapes.fill}`}>{offer.name}</span>
        </Command.Item>
      ))}
    </Command.Group>
  );
}

export const viewId = (project: ProjectRow, view: ProjectView): string => `view ${project.id} ${view}`;

function sayView(project: ProjectRow, view: ProjectView): string {
  return t('search.view', { project: project.name, view: t(`projects.views.${view}`) });
}

/** "harbour list": a view of a project, for who names both. */
export function findViews(store: Reader, text: string): { id: string; project: ProjectRow; view: ProjectView }[] {
  const words = plain(text).split(/\s+/).filter(Boolean);
  if (words.length < 2) return [];
  return findProjects(store, '', 200)
    .flatMap((project) =>
      projectViews.map((view) => ({
        id: viewId(project, view),
        project,
        view,
        points: matchWords(plain(`${project.key} ${sayView(project, view)}`), words),
        // Its name alone finds the project itself.
        named: matchWords(plain(t(`projects.views.${view}`)), words.slice(-1)),
      })),
    )
    .filter(({ points, named }) => points > 7 * words.length && named > 8)
    .slice(0, shownViews);
}
