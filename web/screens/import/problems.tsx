// Problems of an import, each with its line. Everything else is imported.

import type { ImportProblem } from '../../queries/projects/imports.ts';
import { isMessage, t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import styles from './import.module.css';

export function Problems({ problems, count }: { problems: readonly ImportProblem[]; count: number }) {
  if (count === 0) return null;
  return (
    <section className={`${shapes.part} ${styles.part}`} aria-labelledby="import-problems">
      <h2 id="import-problems">{t('import.problems', { n: count })}</h2>
      <p className={`${shapes.softS} ${styles.note}`}>{t('import.problemsHint')}</p>
      <ul className={styles.rows}>
        {problems.map((problem, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may be the same, and none moves
          <li key={`${at} ${problem.line} ${problem.kind}`} className={`${shapes.rowS4} ${styles.problem}`}>
            <span className={`${shapes.softS} ${styles.line} numbers`}>
              {problem.line === null ? '' : t('import.line', { line: String(problem.line) })}
            </span>
            <span className={`${shapes.breaks} ${shapes.fill} ${styles.words}`}>
              {sayKind(problem.kind)} <span className={`${shapes.softS} ${styles.note}`}>{problem.about}</span>
            </span>
          </li>
        ))}
      </ul>
      {count > problems.length && (
        <p className={`${shapes.softS} ${styles.note}`}>{t('import.more', { n: count - problems.length })}</p>
      )}
    </section>
  );
}

function sayKind(kind: string): string {
  const key = `import.problem.${kind}` as const;
  return isMessage(key) ? t(key) : kind;
}
