// Display of a view in one popover, the same on every layout: layout, grouping, lanes, order, what is shown, density. Parts that a layout has
// no use for are left out. Fetched when it is opened.

import type { Grouping } from '../../../../contract/views.ts';
import { t } from '../../../strings/messages.ts';
import shapes from '../../../styles/shapes.module.css';
import { chooseDensity } from '../../../theme.ts';
import { CheckField, SelectField } from '../../../ui/fields/field.tsx';
import { Segments } from '../../../ui/fields/segments.tsx';
import { Popover } from '../../../ui/overlays/popover.tsx';
import { hidesEmpty } from '../../board/card-shown.ts';
import { ColumnChoice } from '../../list/column-choice.tsx';
import type { Table } from '../../list/columns.ts';
import { isOutline } from '../../list/outline-shown.ts';
import { useGroupings } from '../view-choices.ts';
import type { ViewHandle } from '../view-handle.ts';
import { CardParts } from './card-parts.tsx';
import { useDensity } from './density.tsx';
import styles from './display-popover.module.css';
import { LayoutChoice } from './layout-choice.tsx';
import { SortLevels } from './sort-levels.tsx';

interface DisplayProps {
  readonly projectId: string;
  readonly handle: ViewHandle;
  readonly table?: Table | undefined;
  /** Another layout is chosen, and drawn next. */
  readonly onLayout: () => void;
}

interface DisplayPopoverProps extends DisplayProps {
  readonly there: HTMLElement;
  readonly onClose: () => void;
}

export default function DisplayPopover({ there, onClose, ...display }: DisplayPopoverProps) {
  return (
    <Popover
      label={t('board.display')}
      align="end"
      tall
      trigger={{ there }}
      open
      onOpenChange={(is) => {
        if (!is) onClose();
      }}
    >
      <Display {...display} />
    </Popover>
  );
}

function Display({ projectId, handle, table, onLayout }: DisplayProps) {
  const { layout } = handle.view;
  const ordered = layout !== 'calendar' && layout !== 'dashboard';
  const across = projectId === '';
  return (
    <div className={`${shapes.stackS4} ${shapes.within} ${styles.display}`}>
      <LayoutChoice projectId={projectId} handle={handle} onChoose={onLayout} />
      {ordered && <Groups projectId={projectId} handle={handle} />}
      {ordered && (
        <SortLevels
          projectId={projectId}
          handle={handle}
          plain={layout === 'timeline' ? 'start_date' : across ? 'number' : 'column'}
        />
      )}
      {layout === 'board' && (
        <Switch handle={handle} name="empty" label={t('views.display.hideEmpty')} on={hidesEmpty} means={false} />
      )}
      {layout === 'board' && <CardParts projectId={projectId} handle={handle} />}
      {/* Across projects parents need not be here. */}
      {layout === 'list' && !across && (
        <Switch handle={handle} name="outline" label={t('table.outline')} on={isOutline} means={true} />
      )}
      {table && <ColumnChoice table={table} />}
      {layout !== 'dashboard' && <DensityChoice />}
    </div>
  );
}

const none = 'none';

/** A board has columns in any case, and may have lanes; elsewhere tasks may stand ungrouped. */
function Groups({ projectId, handle }: { projectId: string; handle: ViewHandle }) {
  const { layout, grouping, lanes } = handle.view;
  const groupings = useGroupings(projectId).map(({ by, name }) => ({ value: by as string, label: name }));
  if (layout !== 'board')
    return (
      <SelectField
        label={t('list.group')}
        value={grouping ?? none}
        choices={[{ value: none, label: t('list.groups.none') }, ...groupings]}
        onPick={(by) => handle.set({ grouping: by === none ? null : (by as Grouping) })}
      />
    );
  const columns = grouping ?? 'column';
  return (
    <>
      <SelectField
        label={t('common.columns')}
        value={columns as string}
        choices={groupings}
        onPick={(by) => handle.set({ grouping: by as Grouping, ...(by === lanes ? { lanes: null } : {}) })}
      />
      <SelectField
        label={t('views.display.lanes')}
        value={lanes ?? none}
        choices={[
          { value: none, label: t('views.display.noLanes') },
          ...groupings.filter(({ value }) => value !== columns),
        ]}
        onPick={(by) => handle.set({ lanes: by === none ? null : (by as Grouping) })}
      />
    </>
  );
}

interface SwitchProps {
  readonly handle: ViewHandle;
  /** What a view says where it is on. */
  readonly name: string;
  readonly means: boolean;
  readonly label: string;
  readonly on: (shown: ViewHandle['view']['shown']) => boolean;
}

function Switch({ handle, name, means, label, on }: SwitchProps) {
  const { shown } = handle.view;
  return (
    <CheckField
      label={label}
      checked={on(shown)}
      onChange={() => {
        const { [name]: _, ...rest } = shown;
        handle.set({ shown: on(shown) ? rest : { ...rest, [name]: means } });
      }}
    />
  );
}

function DensityChoice() {
  const density = useDensity();
  return (
    <fieldset className={styles.section}>
      <legend>{t('board.density')}</legend>
      <Segments
        choices={['roomy', 'compact']}
        value={density}
        say={(one) => t(`board.${one}`)}
        onPick={chooseDensity}
      />
    </fieldset>
  );
}
