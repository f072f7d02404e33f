// Words of a cell, cut where it ends.

import shapes from '../../styles/shapes.module.css';

export const Words = ({ value }: { value: string }) => (
  <span className={shapes.words} title={value}>
    {value}
  </span>
);
