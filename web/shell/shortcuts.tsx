// Every key there is, from the actions themselves.

import type { ActionGroup } from '../actions/registry.tsx';
import { useOfferedActions } from '../actions/registry.tsx';
import { words } from '../strings/words.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Keys } from '../ui/keys.tsx';
import './shortcuts.css';

const groups: readonly ActionGroup[] = ['general', 'project', 'task', 'card'];

export default function Shortcuts({ onClose }: { onClose: () => void }) {
  const actions = useOfferedActions().filter((action) => action.keys !== undefined);
  const say = words.common.shortcuts;
  return (
    <Dialog open onClose={onClose} title={say.title}>
      {groups.map((group) => {
        const some = actions.filter((action) => action.group === group);
        if (some.length === 0) return null;
        return (
          <section key={group} className="shortcuts">
            <h3>{say[group]}</h3>
            <dl>
              {some.map((action) => (
                <div key={action.id} className="shortcut">
                  <dt>{action.label}</dt>
                  <dd>
                    <Keys keys={action.keys?.split('|')[0] ?? ''} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        );
      })}
    </Dialog>
  );
}
