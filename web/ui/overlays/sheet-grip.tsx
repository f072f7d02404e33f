// The first thing in whatever opens over a screen: on a phone that is a sheet at its foot, and this the grip it is drawn down by.

import { useEffect, useRef } from 'react';
import { usePhone } from '../use-narrow.ts';
import { makeSheet } from './sheet.ts';
import styles from './sheet-grip.module.css';

export function SheetGrip() {
  const phone = usePhone();
  const grip = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const sheet = grip.current?.parentElement;
    return phone && sheet ? makeSheet(sheet) : undefined;
  }, [phone]);
  return phone && <span ref={grip} className={styles.grip} aria-hidden="true" />;
}
