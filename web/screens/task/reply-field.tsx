// Field for a reply in a thread.

import type { TaskRow } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import styles from './comments.module.css';
import { useSendingWithFiles, WaitsForFiles } from './sending-with-files.tsx';
import taskPartStyles from './task-part.module.css';
import { TooLong } from './too-long.tsx';
import type { Reply } from './use-reply.ts';
import { WritingField } from './writing-field.tsx';

interface ReplyFieldProps {
  readonly task: TaskRow;
  readonly reply: Reply;
  readonly names: readonly string[];
}

export function ReplyField({ task, reply, names }: ReplyFieldProps) {
  const { text, over, asked, type, send, stop } = reply;
  const isBlank = text.trim() === '';
  const sending = useSendingWithFiles(text, send);
  return (
    <div className={`${shapes.stackS3} ${styles.commentNew}`}>
      <WritingField
        key={asked}
        task={task}
        label={t('writing.comments.reply')}
        text={text}
        onChange={type}
        names={names}
        onSubmit={sending.send}
        {...(isBlank ? { onEscape: stop } : {})}
        focus={asked > 0}
        small
      />
      <TooLong over={over} />
      {sending.waits && <WaitsForFiles />}
      <div className={taskPartStyles.partActions}>
        <Button onClick={stop}>{t('common.cancel')}</Button>
        <Button look="main" disabled={isBlank || over > 0} busy={sending.waits} onClick={sending.send}>
          {t('writing.comments.reply')}
        </Button>
      </div>
    </div>
  );
}
