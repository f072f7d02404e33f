// A task on the board: everything one glance needs.

import { Ban, CornerDownRight, ListChecks, ListTree, type LucideIcon, MessageSquare, Paperclip } from 'lucide-react';
import { memo } from 'react';
import { isFieldProperty } from '../../../contract/field-properties.ts';
import { usePicture } from '../../files/pictures.ts';
import { RecurrenceMark } from '../../pieces/recurrence-mark.tsx';
import { RestrictedMark } from '../../pieces/restricted-mark.tsx';
import { SharedMark } from '../../pieces/shared-mark.tsx';
import marksStyles from '../../pieces/task-badges.module.css';
import { DueMark, LabelChip, PriorityMark } from '../../pieces/task-badges.tsx';
import { cardFactsOf, type TaskRow, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import avatarStyles from '../../ui/avatar.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import styles from './card.module.css';
import { type CardPart, useCardShown } from './card-shown.ts';

const CardAgent = lazyComponent(() => import('./card-agent.tsx'), ['agents']);
const CardClaim = lazyComponent(() => import('./card-claim.tsx'), ['writing']);
const CardFields = lazyComponent(() => import('./card-fields.tsx'), ['views']);

export const CardFace = memo(function CardFace({ task }: { task: TaskRow }) {
  const facts = useQuery(cardFactsOf, task.id);
  const shown = useCardShown();
  if (facts === null) return null;
  const shows = (part: CardPart): boolean => shown.includes(part);
  const labels = shows('labels') ? facts.labels : [];
  const people = shows('people') ? facts.people : [];
  const due = shows('due') ? task.due_date : null;
  const [items, subtasks] = shows('progress') ? [facts.items, facts.subtasks] : [0, 0];
  const [attachments, comments] = shows('counts') ? [facts.attachments, facts.comments] : [0, 0];
  const blocked = facts.blockedBy.length > 0 && t('board.blockedBy', { keys: facts.blockedBy.join(', ') });
  const footer =
    blocked ||
    due ||
    facts.sharedWith !== null ||
    facts.restricted ||
    facts.agent ||
    facts.claimed ||
    facts.repeats ||
    items > 0 ||
    subtasks > 0 ||
    comments > 0 ||
    attachments > 0;
  const withFields = shown.some(isFieldProperty);
  const top = shows('key') || people.length > 0 || (shows('priority') && task.priority !== 'p2');
  return (
    <>
      {shows('cover') && facts.cover !== null && <Cover path={facts.cover} />}
      {top && (
        <span className={`${shapes.rowS3} ${styles.cardTop}`}>
          {shows('key') && <span className={`${shapes.quietXs} ${styles.cardKey} numbers`}>{facts.key}</span>}
          {shows('priority') && task.priority !== 'p2' && <PriorityMark priority={task.priority} />}
          {people.length > 0 && (
            <span className={`${avatarStyles.avatars} ${shapes.level} ${styles.cardPeople}`}>
              {people.slice(0, 3).map(({ userId, name, avatarUrl }) => (
                <span key={userId} data-face={userId}>
                  <Avatar name={name} url={avatarUrl} seed={userId} size={20} />
                </span>
              ))}
              {people.length > 3 && (
                <span className={`${shapes.quietXs} ${styles.cardMore} numbers`}>+{people.length - 3}</span>
              )}
            </span>
          )}
        </span>
      )}
      <span className={styles.cardTitle} data-title>
        {task.title}
      </span>
      {facts.parent !== null && (
        <span
          className={`${shapes.rowS2} ${shapes.quietXs} ${shapes.slim} ${styles.cardParent}`}
          title={facts.parent}
          data-part-of
        >
          <CornerDownRight size={12} aria-hidden="true" />
          <span className={shapes.words} aria-hidden="true">
            {facts.parent}
          </span>
          <span className="only-spoken">{t('board.partOf', { title: facts.parent })}</span>
        </span>
      )}
      {withFields && <CardFields task={task} shown={shown} />}
      {(labels.length > 0 || footer) && (
        <span className={styles.cardRest}>
          {labels.length > 0 && (
            <span className={`${shapes.wrapS2} ${shapes.slim} ${styles.cardLabels}`}>
              {labels.slice(0, 4).map(({ id, name, color }) => (
                <LabelChip key={id} name={name} color={color} />
              ))}
              {labels.length > 4 && (
                <span
                  className={`${shapes.inlineS2} ${shapes.softXs} ${shapes.chip} ${shapes.bordered} ${shapes.slim} ${shapes.within} ${marksStyles.labelChip} numbers`}
                >
                  +{labels.length - 4}
                </span>
              )}
            </span>
          )}
          {footer && (
            <span className={`${shapes.row} ${shapes.wraps} ${styles.cardFoot}`}>
              {blocked && (
                <span className={marksStyles.factBlocked} title={blocked}>
                  <Ban size={13} aria-hidden="true" />
                  <span aria-hidden="true">{t('property.blocked')}</span>
                  <span className="only-spoken">{blocked}</span>
                </span>
              )}
              {due && <DueMark due={due} completed={task.completed_at} />}
              {facts.agent && <CardAgent taskId={task.id} />}
              {facts.claimed && <CardClaim taskId={task.id} />}
              {facts.restricted && <RestrictedMark />}
              {facts.sharedWith !== null && <SharedMark names={facts.sharedWith} />}
              {facts.repeats && <RecurrenceMark />}
              <Count
                icon={ListTree}
                n={subtasks}
                done={facts.subtasksDone}
                said={t('board.subtasks', { done: facts.subtasksDone, all: subtasks })}
              />
              <Count
                icon={ListChecks}
                n={items}
                done={facts.itemsDone}
                said={t('board.checklist', { done: facts.itemsDone, all: items })}
              />
              <Count icon={Paperclip} n={attachments} said={t('board.attachments', { n: attachments })} />
              <Count icon={MessageSquare} n={comments} said={t('board.comments', { n: comments })} />
            </span>
          )}
        </span>
      )}
    </>
  );
});

interface CountProps {
  readonly icon: LucideIcon;
  readonly n: number;
  readonly done?: number;
  readonly said: string;
}

/** The number of something a task has, or of those that are done; nothing where there are none. */
function Count({ icon: Icon, n, done, said }: CountProps) {
  if (n === 0) return null;
  return (
    <span className={`${marksStyles.fact} numbers ${done === n ? marksStyles.factDone : ''}`}>
      <Icon size={13} aria-hidden="true" />
      <span aria-hidden="true">{done === undefined ? n : `${done}/${n}`}</span>
      <span className="only-spoken">{said}</span>
    </span>
  );
}

/** Its room is there before the picture is: no card below moves when it comes. */
function Cover({ path }: { path: string }) {
  const { url, failed } = usePicture(path, coverFit);
  if (failed) return null;
  return (
    <span className={`${shapes.block} ${shapes.sunken} ${shapes.clipped} ${styles.cardCover}`} data-cover>
      {url !== null && <img src={url} alt="" draggable={false} />}
    </span>
  );
}

const coverFit = 640;
