// A task on the board: everything one glance needs.

import { Ban, ListChecks, MessageSquare } from 'lucide-react';
import { memo, useMemo } from 'react';
import { DueMark, LabelChip, PriorityMark } from '../../pieces/marks.tsx';
import { cardFactsOf, useQuery } from '../../queries.ts';
import { words } from '../../strings/words.ts';
import type { TaskRow } from '../../sync/rows.ts';
import { Avatar } from '../../ui/avatar.tsx';
import './card.css';

const say = words.board;

export const CardFace = memo(function CardFace({ task }: { task: TaskRow }) {
  const facts = useQuery(cardFactsOf, task.id);
  const labels = useMemo(() => JSON.parse(facts?.labels ?? '[]') as [string, string | null][], [facts?.labels]);
  const people = useMemo(() => JSON.parse(facts?.people ?? '[]') as [string, string, string | null][], [facts?.people]);
  if (facts === null) return null;
  const footer = facts.blockedBy || task.due_date || facts.items > 0 || facts.comments > 0;
  return (
    <>
      <span className="card-top">
        <span className="card-key numbers">{facts.key}</span>
        {task.priority !== 'p2' && <PriorityMark priority={task.priority} />}
        {people.length > 0 && (
          <span className="avatars card-people">
            {people.slice(0, 3).map(([id, name, url]) => (
              <Avatar key={id} name={name} url={url} seed={id} size={20} />
            ))}
            {people.length > 3 && <span className="card-more numbers">+{people.length - 3}</span>}
          </span>
        )}
      </span>
      <span className="card-title">{task.title}</span>
      {labels.length > 0 && (
        <span className="card-labels">
          {labels.slice(0, 4).map(([name, color]) => (
            <LabelChip key={name} name={name} color={color} />
          ))}
          {labels.length > 4 && <span className="label-chip numbers">+{labels.length - 4}</span>}
        </span>
      )}
      {footer && (
        <span className="card-foot">
          {facts.blockedBy && (
            <span className="card-blocked" title={say.blockedBy(facts.blockedBy)}>
              <Ban size={13} aria-hidden="true" />
              <span aria-hidden="true">{say.blocked}</span>
              <span className="only-spoken">{say.blockedBy(facts.blockedBy)}</span>
            </span>
          )}
          {task.due_date && <DueMark due={task.due_date} completed={task.completed_at} />}
          {facts.items > 0 && (
            <span className={`card-fact numbers ${facts.itemsDone === facts.items ? 'card-fact-done' : ''}`}>
              <ListChecks size={13} aria-hidden="true" />
              <span aria-hidden="true">
                {facts.itemsDone}/{facts.items}
              </span>
              <span className="only-spoken">{say.checklist(facts.itemsDone, facts.items)}</span>
            </span>
          )}
          {facts.comments > 0 && (
            <span className="card-fact numbers">
              <MessageSquare size={13} aria-hidden="true" />
              <span aria-hidden="true">{facts.comments}</span>
              <span className="only-spoken">{say.comments(facts.comments)}</span>
            </span>
          )}
        </span>
      )}
    </>
  );
});
