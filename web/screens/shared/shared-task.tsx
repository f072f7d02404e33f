// Task of a public link: facts, description, checklist, subtasks and, where they are shown, files and comments.

import { Paperclip } from 'lucide-react';
import { useState } from 'react';
import { sayRefusal } from '../../commands.ts';
import { saySize } from '../../files/say-size.ts';
import { DueMark, KindMark, PriorityMark } from '../../pieces/task-badges.tsx';
import { sayMoment } from '../../queries/days/days.ts';
import type { Shared, SharedFile, SharedTask } from '../../session/share-link.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Notice } from '../../ui/list-states.tsx';
import { Markdown } from '../../ui/text/markdown.tsx';
import styles from './shared.module.css';
import { Faces, Labels } from './shared-board.tsx';

interface Props {
  readonly shared: Shared;
  readonly task: SharedTask;
  readonly onOpen: (taskId: string) => void;
}

export function SharedTaskPart({ shared, task, onOpen }: Props) {
  const column = shared.columns.find(({ id }) => id === task.column_id);
  const parts = shared.tasks.filter(({ parent_id }) => parent_id === task.id);
  const comments = shared.comments.filter(({ task_id }) => task_id === task.id);
  const nameOf = (id: string | null) => shared.people.find((one) => one.id === id)?.display_name ?? t('common.someone');
  return (
    <div className={`${shapes.stackS5} ${styles.task}`}>
      <p className={shapes.wrapS3}>
        <span className={`${shapes.quietS} numbers`}>{`${shared.project.key}-${task.number}`}</span>
        {column && (
          <span className={shapes.inlineS2}>
            <KindMark kind={column.kind} color={column.color} />
            {column.name}
          </span>
        )}
        <PriorityMark priority={task.priority} named />
        {task.due_date !== null && <DueMark due={task.due_date} completed={task.completed_at} />}
        <Faces shared={shared} task={task} />
      </p>
      <Labels shared={shared} task={task} />
      {task.description !== '' && <Markdown text={task.description} />}
      {task.task_checklist_items.length > 0 && (
        <section className={shapes.stackS3} aria-label={t('property.checklist')}>
          <h2>{t('property.checklist')}</h2>
          <ul className={shapes.stackS2}>
            {task.task_checklist_items.map(({ id, title, is_done }) => (
              <li key={id}>
                <label className={shapes.topS3}>
                  <input type="checkbox" checked={is_done} disabled />
                  <span className={shapes.breaks}>{title}</span>
                </label>
              </li>
            ))}
          </ul>
        </section>
      )}
      {parts.length > 0 && (
        <section className={shapes.stackS3} aria-label={t('plan.subtasks.title')}>
          <h2>{t('plan.subtasks.title')}</h2>
          <ul className={shapes.stackS2}>
            {parts.map((part) => (
              <li key={part.id}>
                <button
                  type="button"
                  className={`${shapes.inlineS3} ${shapes.inlineS3} ${styles.part}`}
                  onClick={() => onOpen(part.id)}
                >
                  <KindMark kind={part.completed_at === null ? 'todo' : 'done'} />
                  <span className={shapes.breaks}>{part.title}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Files shared={shared} task={task} />
      {comments.length > 0 && (
        <section className={shapes.stackS3} aria-label={t('task.stream.comments')}>
          <h2>{t('task.stream.comments')}</h2>
          <ul className={shapes.stackS4}>
            {comments.map(({ id, author_id, body, created_at }) => (
              <li key={id} className={shapes.stackS1}>
                <p className={shapes.wrapS3}>
                  <strong>{nameOf(author_id)}</strong>
                  <time className={shapes.quietS} dateTime={created_at}>
                    {sayMoment(created_at)}
                  </time>
                </p>
                <Markdown text={body} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Files({ shared, task }: { shared: Shared; task: SharedTask }) {
  const [fault, setFault] = useState<string | null>(null);
  const files = shared.files.filter(({ task_id }) => task_id === task.id);
  if (files.length === 0) return null;
  async function save(file: SharedFile): Promise<void> {
    setFault(null);
    try {
      const href = URL.createObjectURL(await shared.download(file));
      Object.assign(document.createElement('a'), { href, download: file.name }).click();
      // The browser has taken it by then.
      setTimeout(() => URL.revokeObjectURL(href), 60_000);
    } catch (reason) {
      setFault(sayRefusal(reason));
    }
  }
  return (
    <section className={shapes.stackS3} aria-label={t('common.attachments')}>
      <h2>{t('common.attachments')}</h2>
      {fault !== null && <Notice tone="danger">{fault}</Notice>}
      <ul className={shapes.stackS2}>
        {files.map((file) => (
          <li key={file.id}>
            <button
              type="button"
              className={`${shapes.inlineS3} ${shapes.inlineS3} ${styles.part}`}
              onClick={() => void save(file)}
            >
              <Paperclip size={14} aria-hidden="true" />
              <span className={shapes.breaks}>{file.name}</span>
              <span className={`${shapes.quietS} numbers`}>{saySize(file.size_bytes)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
