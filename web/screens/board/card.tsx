// A task on the board: everything one glance needs.

import { Ban, ListChecks, MessageSquare, Paperclip } from 'lucide-react';
import { memo } from 'react';
import { usePicture } from '../../files/pictures.ts';
import marksStyles from '../../pieces/marks.module.css';
import { DueMark, LabelChip, PriorityMark } from '../../pieces/marks.tsx';
import { cardFactsOf, type TaskRow, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import avatarStyles from '../../ui/avatar.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import styles from './card.module.css';

export const CardFace = memo(function CardFace({ task }: { task: TaskRow }) {
  const facts = useQuery(cardFactsOf, task.id);
  if (facts === null) return null;
  const { labels, people } = facts;
  const blocked = facts.blockedBy.length > 0 && t('board.blockedBy', { keys: facts.blockedBy.join(', ') });
  const footer = blocked || task.due_date || facts.items > 0 || facts.comments > 0 || facts.attachments > 0;
  return (
    <>
      {facts.cover !== null && <Cover path={facts.cover} />}
      <span className={styles.cardTop}>
        <span className={`${styles.cardKey} numbers`}>{facts.key}</span>
        {task.priority !== 'p2' && <PriorityMark priority={task.priority} />}
        {people.length > 0 && (
          <span className={`${avatarStyles.avatars} ${styles.cardPeople}`}>
            {people.slice(0, 3).map(({ userId, name, avatarUrl }) => (
              <span key={userId} data-face={userId}>
                <Avatar name={name} url={avatarUrl} seed={userId} size={20} />
              </span>
            ))}
            {people.length > 3 && <span className={`${styles.cardMore} numbers`}>+{people.length - 3}</span>}
          </span>
        )}
      </span>
      <span className={styles.cardTitle} data-title>
        {task.title}
      </span>
      {(labels.length > 0 || footer) && (
        <span className={styles.cardRest}>
          {labels.length > 0 && (
            <span className={styles.cardLabels}>
              {labels.slice(0, 4).map(({ id, name, color }) => (
                <LabelChip key={id} name={name} color={color} />
              ))}
              {labels.length > 4 && <span className={`${marksStyles.labelChip} numbers`}>+{labels.length - 4}</span>}
            </span>
          )}
          {footer && (
            <span className={styles.cardFoot}>
              {blocked && (
                <span className={marksStyles.factBlocked} title={blocked}>
                  <Ban size={13} aria-hidden="true" />
                  <span aria-hidden="true">{t('board.blocked')}</span>
                  <span className="only-spoken">{blocked}</span>
                </span>
              )}
              {task.due_date && <DueMark due={task.due_date} completed={task.completed_at} />}
              {facts.items > 0 && (
                <span
                  className={`${marksStyles.fact} numbers ${facts.itemsDone === facts.items ? marksStyles.factDone : ''}`}
                >
                  <ListChecks size={13} aria-hidden="true" />
                  <span aria-hidden="true">
                    {facts.itemsDone}/{facts.items}
                  </span>
                  <span className="only-spoken">
                    {t('board.checklist', { done: facts.itemsDone, all: facts.items })}
                  </span>
                </span>
              )}
              {facts.attachments > 0 && (
                <span className={`${marksStyles.fact} numbers`}>
                  <Paperclip size={13} aria-hidden="true" />
                  <span aria-hidden="true">{facts.attachments}</span>
                  <span className="only-spoken">{t('board.attachments', { n: facts.attachments })}</span>
                </span>
              )}
              {facts.comments > 0 && (
                <span className={`${marksStyles.fact} numbers`}>
                  <MessageSquare size={13} aria-hidden="true" />
                  <span aria-hidden="true">{facts.comments}</span>
                  <span className="only-spoken">{t('board.comments', { n: facts.comments })}</span>
                </span>
              )}
            </span>
          )}
        </span>
      )}
    </>
  );
});

/** Its room is there before the picture is: no card below moves when it comes. */
function Cover({ path }: { path: string }) {
  const { url, failed } = usePicture(path, coverFit);
  if (failed) return null;
  return <span className={styles.cardCover}>{url !== null && <img src={url} alt="" draggable={false} />}</span>;
}

const coverFit = 640;
