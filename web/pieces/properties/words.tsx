// Words of a cell, cut where it ends.

import styles from './properties.module.css';

export const Words = ({ value }: { value: string }) => (
  <span className={styles.words} title={value}>
    {value}
  </span>
);
