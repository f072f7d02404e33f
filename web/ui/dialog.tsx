// Dialogs: in the middle for a decision, at the side for something to read and edit beside the rest.

import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { useRef } from 'react';
import { words } from '../strings/words.ts';
import { IconButton } from './button.tsx';
import './dialog.css';

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  /** After the focus is back where it was. */
  onClosed?: () => void;
  title: string;
  /** The title is spoken, not shown. */
  bareTitle?: boolean;
  description?: ReactNode;
  look?: 'middle' | 'side' | 'palette' | 'drawer';
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
  // There is no trigger to give the focus back to: whatever had it when the dialog opened gets it back. It is asked before a field
  // inside takes the focus for itself.
  const opener = useRef<Element | null>(null);
  const wasOpen = useRef(false);
  if (open && !wasOpen.current) opener.current = document.activeElement;
  wasOpen.current = open;
  return (
    <Primitive.Root open={open} onOpenChange={(is) => !is && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className={`dialog-shade dialog-shade-${look}`} />
        <Primitive.Content
          className={`dialog dialog-${look}`}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (opener.current instanceof HTMLElement && opener.current.isConnected)
              opener.current.focus({ preventScroll: true });
            onClosed?.();
          }}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          {bareTitle ? (
            <Primitive.Title className="only-spoken">{title}</Primitive.Title>
          ) : (
            <header className="dialog-head">
              <Primitive.Title className="dialog-title">{title}</Primitive.Title>
              <IconButton label={words.common.close} onClick={onClose}>
                <X size={16} />
              </IconButton>
            </header>
          )}
          {description !== undefined && (
            <Primitive.Description className="dialog-description">{description}</Primitive.Description>
          )}
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
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
      <div className="dialog-actions">{children}</div>
    </Dialog>
  );
}
