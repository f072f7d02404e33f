// Buttons: one that says what it does, and a square one with a picture and a spoken name.

import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './button.module.css';
import { capital } from './capital.ts';

export type ButtonLook = 'main' | 'plain' | 'quiet' | 'danger';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: ButtonLook;
  icon?: ReactNode;
  /** Shows that it is at work; presses are ignored meanwhile. */
  busy?: boolean;
  /** In a bar with little room it is its icon alone. */
  shrinks?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({
  look = 'plain',
  icon,
  busy = false,
  shrinks = false,
  children,
  className = '',
  type = 'button',
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      className={`${styles.button} ${styles[`button${capital(look)}`]} ${className}`}
      aria-busy={busy || undefined}
      data-shrinks={shrinks || undefined}
      title={shrinks && typeof children === 'string' ? children : undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {icon}
      {children !== undefined && <span className={styles.buttonWords}>{children}</span>}
    </button>
  );
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  label: string;
  children: ReactNode;
}

export function IconButton({ label, children, look = 'quiet', className = '', ...rest }: IconButtonProps) {
  return (
    <Button
      look={look}
      className={`${styles.iconButton} ${className}`}
      aria-label={label}
      title={label}
      icon={children}
      {...rest}
    />
  );
}
