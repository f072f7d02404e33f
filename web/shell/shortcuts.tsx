// Every key there is, from the actions themselves.

import { Fragment } from 'react';
import type { Action, ActionGroup } from '../actions/registry.tsx';
import { useOfferedActions } from '../actions/registry.tsx';
import { t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import { Keys } from '../ui/keys.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import styles from './shortcuts.module.css';

const groups: readonly ActionGroup[] = ['general', 'project', 'task', 'card'];

/** What can be reached in two ways is one line. */
function toLines(actions: readonly Action[]) {
  const lines = new Map<string, { readonly group: ActionGroup; readonly label: string; readonly ways: string[] }>();
  for (const action of actions) {
    const { group, label } = action;
    const keys = action.keys?.split('|')[0];
    if (keys === undefined) continue;
    const name = `${group} ${label}`;
    const known = lines.get(name);
    if (known) known.ways.push(keys);
    else lines.set(name, { group, label, ways: [keys] });
  }
  return [...lines.values()];
}

export default function Shortcuts({ onClose }: { onClose: () => void }) {
  const lines = toLines(useOfferedActions().filter((action) => !action.refused));
  return (
    <Dialog open onClose={onClose} title={t('common.nav.shortcuts')} look="wide">
      <div className={styles.shortcutsAll}>
        {groups.map((group) => {
          const some = lines.filter((line) => line.group === group);
          if (some.length === 0) return null;
          return (
            <section key={group} className={styles.shortcuts}>
              <h3>{t(`common.shortcuts.${group}`)}</h3>
              <dl>
                {some.map(({ label, ways }) => (
                  <div key={label} className={`${shapes.rowS5} ${styles.shortcut}`}>
                    <dt>{label}</dt>
                    <dd className={`${shapes.rowS3} ${shapes.quietXs} ${shapes.rigid}`}>
                      {ways.map((keys, at) => (
                        <Fragment key={keys}>
                          {at > 0 && <span>{t('common.or')}</span>}
                          <Keys keys={keys} />
                        </Fragment>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          );
        })}
      </div>
    </Dialog>
  );
}
