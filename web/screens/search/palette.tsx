// One field for everything: tasks, projects and what can be done right here. Matches on this device show with every key;
// the server adds what only it knows.

import { Command } from 'cmdk';
import { Fragment, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { LineParts } from '../../pieces/quick-line/line-parts.tsx';
import { type ProjectRow, type TaskRow, titleHolds } from '../../queries.ts';
import { addressOf, type ProjectView, paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import type { Offer } from '../../ui/fields/offer-list.tsx';
import { bufferKeysFrom, dropKeys, replayKeys } from '../../ui/overlays/buffered-keys.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { useLatest } from '../../ui/use-latest.ts';
import styles from './palette.module.css';
import { lineOfferId } from './palette-ids.ts';
import { Hints, LineItems, Offers, ProjectItem, TaskItem } from './palette-items.tsx';
import { type ResultGroup, usePaletteResults } from './use-palette-results.ts';
import { type PaletteTask, usePaletteTask } from './use-palette-task.ts';

export default function Palette({ onClose }: { onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  const { line, task, offers: lineOffers, readCaret } = usePaletteTask(field);
  const needle = line.text.trim();
  const results = usePaletteResults(needle, task, lineOffers);
  const { groups, values, phase } = results;
  const [picked, setPicked] = useState('');
  function takeOffer(offer: Offer | undefined): void {
    field.current?.focus();
    offer?.pick();
    setPicked('');
  }

  // What was picked wants the focus where it was, or takes it elsewhere: it waits until the dialog has given it back.
  const leaving = useRef<(() => void) | undefined>(undefined);
  const close = useLatest(onClose);
  // The same functions for every key, so that lines which stay are not drawn anew.
  const leaveFor = useCallback(
    (effect: () => void): void => {
      leaving.current = effect;
      close.current();
    },
    [close],
  );
  const holdEnter = useHeldEnter(phase === 'asking' && values.length === 0);
  return (
    <Dialog
      open
      onClose={onClose}
      onClosed={() => leaving.current?.()}
      title={t('common.nav.search')}
      bareTitle
      look="palette"
    >
      <Command
        shouldFilter={false}
        label={t('common.nav.search')}
        className={`${shapes.column} ${shapes.short}`}
        loop
        value={values.includes(picked) ? picked : (values[0] ?? '')}
        onValueChange={setPicked}
        onKeyDown={(event) => {
          if (event.key === 'Enter') holdEnter(event.nativeEvent);
          if (event.key !== 'Tab' || event.shiftKey || lineOffers.length === 0 || event.target !== field.current)
            return;
          event.preventDefault();
          takeOffer(lineOffers.find(({ id }) => lineOfferId(id) === picked) ?? lineOffers[0]);
        }}
      >
        <Command.Input
          ref={field}
          className={`${shapes.rigid} ${shapes.full} ${styles.paletteInput}`}
          placeholder={t('search.placeholder')}
          aria-label={t('search.placeholder')}
          value={line.text}
          onValueChange={(next) => {
            line.type(next);
            setPicked('');
          }}
          onSelect={readCaret}
          maxLength={200}
        />
        {groups.line.length > 0 && (
          <div className={styles.paletteParts}>
            <LineParts line={line} onBack={() => field.current?.focus()} onEscape={onClose} />
          </div>
        )}
        <Command.List
          className={`${shapes.holder} ${shapes.padS3} ${shapes.rolls} ${styles.paletteList}`}
          label={t('common.nav.search')}
        >
          <Groups {...{ needle, results, task, lineOffers, takeOffer, leaveFor }} />
          {results.found === 0 && groups.line.length < 2 && phase !== 'asking' && (
            <div className={`${shapes.soft} ${shapes.centred} ${styles.paletteNothing}`}>
              <p>
                <strong>{t('search.nothing', { text: needle })}</strong>
              </p>
              <p>{t('search.nothingHint')}</p>
            </div>
          )}
        </Command.List>
        <div className={`${shapes.rowS4} ${shapes.quietXs} ${shapes.rigid} ${shapes.spread} ${styles.paletteFoot}`}>
          <span role="status">{needle !== '' && sayFound(phase, results.found)}</span>
          <Hints />
        </div>
      </Command>
    </Dialog>
  );
}

/** While nothing is found yet and the server is still asked, Enter is for what it finds, and so are the keys after it. */
function useHeldEnter(isOpen: boolean): (event: KeyboardEvent) => void {
  const isHeld = useRef(false);
  useEffect(() => {
    if (isOpen || !isHeld.current) return;
    isHeld.current = false;
    replayKeys();
  }, [isOpen]);
  useEffect(() => () => void (isHeld.current && dropKeys()), []);
  return (event) => {
    if (!isOpen || event.isComposing) return;
    isHeld.current = true;
    bufferKeysFrom(event);
  };
}

interface GroupsProps {
  readonly needle: string;
  readonly results: ReturnType<typeof usePaletteResults>;
  readonly task: PaletteTask | null;
  readonly lineOffers: readonly Offer[];
  readonly takeOffer: (offer: Offer) => void;
  readonly leaveFor: (effect: () => void) => void;
}

function Groups({ needle, results, task: made, lineOffers, takeOffer, leaveFor }: GroupsProps) {
  const [, go] = useLocation();
  const { exact, about, here, recent, tasks, elsewhere, projects, views, offers, groups, order } = results;
  const openTask = useCallback(
    (task: TaskRow): void => leaveFor(() => go(paths.task(task.project_id, addressOf(task)))),
    [leaveFor, go],
  );
  const openProject = useCallback(
    (project: ProjectRow, view?: ProjectView): void => leaveFor(() => go(paths.project(project.id, view))),
    [leaveFor, go],
  );
  const parts: Record<ResultGroup, ReactNode> = {
    exact: (
      <Command.Group heading={t('common.key')}>
        {exact.task && <TaskItem task={exact.task} onOpen={openTask} />}
        {exact.project && <ProjectItem project={exact.project} onOpen={openProject} />}
      </Command.Group>
    ),
    recent: (
      <Command.Group heading={t('search.recent')}>
        {recent.map((task) => (
          <TaskItem key={task.id} task={task} onOpen={openTask} />
        ))}
      </Command.Group>
    ),
    tasks: (
      <Command.Group heading={t('common.taskList')}>
        {tasks.map((task) => (
          <TaskItem key={task.id} task={task} onOpen={openTask} />
        ))}
        {elsewhere.map((task) => (
          <TaskItem
            key={task.id}
            task={task}
            {...(titleHolds(task, needle) ? {} : { note: t('search.inWords') })}
            onOpen={openTask}
          />
        ))}
      </Command.Group>
    ),
    projects: (
      <Command.Group heading={t('common.nav.projects')}>
        {projects.map((project) => (
          <ProjectItem key={project.id} project={project} onOpen={openProject} />
        ))}
        {views.map(({ id, project, view }) => (
          <ProjectItem key={id} project={project} view={view} onOpen={openProject} />
        ))}
      </Command.Group>
    ),
    here: <Offers heading={about} offers={here} onPick={leaveFor} />,
    offers: <Offers heading={t('common.actions')} offers={offers} onPick={leaveFor} />,
    line: <LineItems task={made} offers={lineOffers} onCreate={leaveFor} onOffer={takeOffer} />,
  };

  return order.map((name) => groups[name].length > 0 && <Fragment key={name}>{parts[name]}</Fragment>);
}

function sayFound(phase: ReturnType<typeof usePaletteResults>['phase'], n: number): string {
  if (phase === 'asking') return t('search.searching');
  return phase === 'failed' ? t('search.failed') : t('search.found', { n });
}
