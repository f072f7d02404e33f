// Dialogs: in the middle for a decision, wide for something to look up, the whole window to look at something, a palette, a drawer at
// the side.

import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { IconButton } from '../button.tsx';
import { capital } from '../capital.ts';
import { ReplayKeys } from './buffered-keys.ts';
import styles from './dialog.module.css';
import { RestoreFocus } from './restore-focus.tsx';
import { SheetGrip } from './sheet-grip.tsx';

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  /** After the focus is back where it was. */
  onClosed?: () => void;
  title: string;
  /** The title is spoken, not shown. */
  bareTitle?: boolean;
  description?: ReactNode;
  look?: 'middle' | 'wide' | 'full' | 'palette' | 'drawer';
  children: ReactNode;
}

export function Dialog({
  open,
  onClose,
  onClosed,
  title,
  bareTitle = false,
  description,
  look = 'middle',
  children,
}: DialogProps) {
  return (
    <Primitive.Root open={open} onOpenChange={(is) => !is && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className={styles.dialogShade} />
        <Primitive.Content
          className={`${styles.dialog} ${styles[`dialog${capital(look)}`]}`}
          onOpenAutoFocus={focusField}
          // It comes a moment late, and knows of a trigger alone: whatever had the focus before has it back by then.
          onCloseAutoFocus={(event) => event.preventDefault()}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          {(look === 'middle' || look === 'wide') && <SheetGrip />}
          <RestoreFocus then={onClosed} />
          <ReplayKeys />
          {bareTitle ? (
            <Primitive.Title className="only-spoken">{title}</Primitive.Title>
          ) : (
            <header
              className={`${shapes.rowS4} ${shapes.spread} ${shapes.rowS4} ${shapes.spread} ${styles.dialogHead}`}
            >
              <Primitive.Title className={styles.dialogTitle}>{title}</Primitive.Title>
              <IconButton label={t('common.close')} onClick={onClose}>
                <X size={16} />
              </IconButton>
            </header>
          )}
          {description !== undefined && (
            <Primitive.Description className={styles.dialogDescription}>{description}</Primitive.Description>
          )}
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** A dialog is opened to fill in its first field, where it has one: what is typed next belongs there, not to the button that closes it. */
function focusField(event: Event): void {
  const content = event.currentTarget as HTMLElement;
  const field = content.querySelector<HTMLElement>(
    'input:not([type="checkbox"], [type="radio"], [type="file"], [type="hidden"], :disabled), textarea:not(:disabled)',
  );
  if (field === null || content.contains(document.activeElement)) return;
  event.preventDefault();
  field.focus();
}

/** A question with a way back. */
export function Confirm({
  open,
  onClose,
  title,
  description,
  children,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  description: ReactNode;
  children: ReactNode;
}) {
  return (
    <Dialog open={open} onClose={onClose} title={title} description={description}>
      <div className={styles.dialogActions}>{children}</div>
    </Dialog>
  );
}
