// A small panel below a button, or below what a key was pressed on; on a phone a sheet, which nothing in it makes the keyboard cover.

import { Popover as Primitive } from 'radix-ui';
import { isValidElement, type ReactElement, type ReactNode } from 'react';
import { usePhone } from '../use-narrow.ts';
import { ReplayKeys } from './buffered-keys.ts';
import styles from './menu.module.css';
import { nobodyHasFocus, RestoreFocus } from './restore-focus.tsx';
import { SheetGrip } from './sheet-grip.tsx';

/** A button that is drawn here and opens it; or what stands in the page already; it, or `back`, has the focus again
 * afterwards. */
export type Trigger = ReactElement | { readonly there: HTMLElement; readonly back?: HTMLElement };

export function Popover({
  trigger,
  label,
  open,
  onOpenChange,
  align = 'start',
  tall = false,
  children,
}: {
  trigger: Trigger;
  label: string;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  align?: 'start' | 'end';
  /** As high as there is room, rather than as a list to pick from. */
  tall?: boolean;
  children: ReactNode;
}) {
  const phone = usePhone();
  const back = isValidElement(trigger) ? undefined : (trigger.back ?? trigger.there);
  return (
    <Primitive.Root modal={phone} {...(open === undefined ? {} : { open })} {...(onOpenChange ? { onOpenChange } : {})}>
      {isValidElement(trigger) ? (
        <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      ) : (
        <Primitive.Anchor virtualRef={{ current: trigger.there }} />
      )}
      <Primitive.Portal>
        <Primitive.Content
          className={styles.popover}
          data-tall={tall || undefined}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          onOpenAutoFocus={(event) => {
            if (!phone) return;
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          onCloseAutoFocus={(event) => {
            // This comes a moment late: by then the focus is back, or something new has it.
            if (back === undefined && nobodyHasFocus()) return;
            event.preventDefault();
            if (nobodyHasFocus() && back?.isConnected) back.focus({ preventScroll: true });
          }}
        >
          <SheetGrip />
          <RestoreFocus to={back} />
          <ReplayKeys />
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
