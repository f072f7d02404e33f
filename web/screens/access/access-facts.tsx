// Rights in a project, and the rules that give them: of somebody in the dialog of one object, and of one person on their page.

import { Eye, type LucideIcon, MessageSquare, Pencil, Settings } from 'lucide-react';
import { Link } from 'wouter';
import type { AccessReason, NameOf, Rights } from '../../queries/people/access.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import styles from './access.module.css';
import { sayReason } from './say-reason.ts';

const marks: readonly (readonly [keyof Rights, LucideIcon])[] = [
  ['sees', Eye],
  ['comments', MessageSquare],
  ['changes', Pencil],
  ['manages', Settings],
];

interface AccessFactsProps {
  readonly rights: Rights;
  readonly reasons: readonly AccessReason[];
  readonly nameOf: NameOf;
}

export function AccessFacts({ rights, reasons, nameOf }: AccessFactsProps) {
  const several = reasons.filter(({ tasks }) => tasks === undefined).length > 1;
  return (
    <>
      {rights.sees ? (
        <ul className={`${shapes.softS} ${styles.rights}`} aria-label={t('reach.may')}>
          {marks.map(
            ([right, Icon]) =>
              rights[right] && (
                <li key={right} className={shapes.inlineS2}>
                  <Icon size={13} aria-hidden="true" />
                  {t(`reach.rights.${right}`)}
                </li>
              ),
          )}
        </ul>
      ) : (
        <p className={shapes.softS}>{t('reach.disabled')}</p>
      )}
      <ul className={`${shapes.quietS} ${shapes.stackS1} ${styles.reasons}`} aria-label={t('reach.reasons')}>
        {reasons.map((reason) => {
          const sentence = sayReason(reason, nameOf, several);
          return (
            <li key={[reason.rule, reason.level, reason.group_id].join()}>
              {reason.group_id === undefined ? (
                sentence
              ) : (
                <Link href={paths.group(reason.group_id)} className={styles.group}>
                  {sentence}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}
