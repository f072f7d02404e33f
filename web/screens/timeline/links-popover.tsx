// What a task waits for and what waits for it, over its bar: added, taken away, and how many days lie between.

import type { TaskRow } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Popover } from '../../ui/overlays/popover.tsx';
import type { ProjectScene } from '../planning/scene.ts';
import { Dependencies } from '../task/dependencies.tsx';
import styles from './timeline-head.module.css';

interface LinksPopoverProps {
  readonly task: TaskRow;
  readonly scene: ProjectScene;
  readonly there: HTMLElement;
  /** Which links are broken, in words. */
  readonly troubles: readonly string[];
  readonly onClose: () => void;
}

export default function LinksPopover({ task, scene, there, troubles, onClose }: LinksPopoverProps) {
  const label = t('timeline.linksOf', { key: scene.keyOf(task) });
  return (
    <Popover trigger={{ there }} label={label} open onOpenChange={(open) => !open && onClose()}>
      <div className={styles.links} data-links>
        <p className={styles.linksTask}>{task.title}</p>
        {troubles.map((words) => (
          <p key={words} className={styles.trouble}>
            {words}
          </p>
        ))}
        <Dependencies project={scene.project} task={task} canWrite={scene.canWrite} view="timeline" withLag />
      </div>
    </Popover>
  );
}
