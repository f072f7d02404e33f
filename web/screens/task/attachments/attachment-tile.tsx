// One attachment: preview, name, size, who attached it and when, and its actions.

import { ArrowDownToLine, Ellipsis, ImageIcon, ImageOff, Link2, Trash2, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { removeAttachment, setCover, useAct } from '../../../commands.ts';
import { markdownOf } from '../../../files/attachment-name.ts';
import { saySize } from '../../../files/say-size.ts';
import { sayAgo, sayMoment } from '../../../queries/days/days.ts';
import { type AttachmentRow, kindOf, nameOf, profileOf, useQuery } from '../../../queries.ts';
import { t } from '../../../strings/messages.ts';
import shapes from '../../../styles/shapes.module.css';
import { IconButton } from '../../../ui/button.tsx';
import { lazyOverlay } from '../../../ui/overlays/lazy-overlay.tsx';
import { Menu, type MenuItem } from '../../../ui/overlays/menu.tsx';
import { showCopied } from '../../../ui/overlays/toaster.tsx';
import { copyText } from '../../../ui/text/copy-text.ts';
import { useExplainsAccess } from '../../access/use-explains-access.ts';
import styles from './attachments.module.css';
import { Thumbnail } from './file-sign.tsx';

const AccessDialog = lazyOverlay(() => import('../../access/access-dialog.tsx'), ['people', 'reach']);

interface Props {
  readonly attachment: AttachmentRow;
  readonly isCover: boolean;
  readonly canWrite: boolean;
  readonly onOpen: () => void;
  readonly onDownload: () => void;
}

export function AttachmentTile({ attachment, isCover, canWrite, onOpen, onDownload }: Props) {
  const { name, size_bytes, uploaded_by, created_at, task_id, project_id } = attachment;
  const explains = useExplainsAccess(project_id);
  const [explaining, setExplaining] = useState(false);
  const act = useAct();
  const author = useQuery(profileOf, uploaded_by ?? '');
  const who = uploaded_by === null ? t('common.formerMember') : nameOf(author);
  const forWriters: MenuItem[] = [
    ...(kindOf(attachment) === 'image'
      ? [
          isCover
            ? {
                id: 'uncover',
                label: t('files.clearCover'),
                icon: <ImageOff size={14} />,
                onPick: () => void act(setCover, task_id, null),
              }
            : {
                id: 'cover',
                label: t('files.makeCover'),
                icon: <ImageIcon size={14} />,
                onPick: () => void act(setCover, task_id, attachment.id),
              },
        ]
      : []),
    {
      id: 'remove',
      label: t('files.remove'),
      icon: <Trash2 size={14} />,
      danger: true,
      apart: true,
      onPick: () => void act(removeAttachment, attachment.id),
    },
  ];
  return (
    <li className={`${shapes.box} ${shapes.holder} ${shapes.clipped}`} data-attachment-id={attachment.id}>
      <button
        type="button"
        className={`${shapes.middle} ${shapes.ringedInside} ${shapes.quiet} ${shapes.holder} ${styles.tileFace}`}
        onClick={onOpen}
        aria-label={t('common.openNamed', { name })}
      >
        <Thumbnail attachment={attachment} />
        {isCover && <span className={`${shapes.softXs} ${shapes.chip} ${styles.tileCover}`}>{t('files.isCover')}</span>}
      </button>
      <div className={`${shapes.stackS1} ${styles.tileWords}`}>
        <strong className={`${shapes.words} ${shapes.small} ${styles.tileName}`} title={name}>
          {name}
        </strong>
        <span className={`${shapes.quietXs} ${shapes.breaks}`} title={sayMoment(created_at)}>
          {t('files.about', { size: saySize(size_bytes), who, when: sayAgo(created_at) })}
        </span>
      </div>
      <Menu
        label={t('files.more', { name })}
        trigger={
          <IconButton label={t('files.more', { name })} className={styles.tileMore}>
            <Ellipsis size={14} />
          </IconButton>
        }
        items={[
          { id: 'download', label: t('common.download'), icon: <ArrowDownToLine size={14} />, onPick: onDownload },
          {
            id: 'markdown',
            label: t('files.copyMarkdown'),
            icon: <Link2 size={14} />,
            onPick: () => void copyText(markdownOf(attachment)).then(showCopied),
          },
          ...(explains
            ? [
                {
                  id: 'access',
                  label: t('common.canSee'),
                  icon: <UsersRound size={14} />,
                  // The focus is back at the button first.
                  onPick: () => setTimeout(() => setExplaining(true)),
                },
              ]
            : []),
          ...(canWrite ? forWriters : []),
        ]}
      />
      {explaining && (
        <AccessDialog object={attachment.id} projectId={project_id} onClosed={() => setExplaining(false)} />
      )}
    </li>
  );
}
