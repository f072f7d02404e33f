// A link that looks like a button: it goes somewhere instead of doing something.

import type { ReactNode } from 'react';
import { Link } from 'wouter';
import styles from './button.module.css';
import type { ButtonLook } from './button.tsx';
import { capital } from './capital.ts';

export function ButtonLink({
  href,
  look = 'plain',
  children,
}: {
  href: string;
  look?: ButtonLook;
  children: ReactNode;
}) {
  return (
    <Link href={href} className={`${styles.button} ${styles[`button${capital(look)}`]}`}>
      {children}
    </Link>
  );
}
