// The cards of one place of the board, why there are none, and where a new one is typed: what a column and a cell of a lane have in common.

import { Plus } from 'lucide-react';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { showMessage } from '../../ui/overlays/toaster.tsx';
import styles from './board.module.css';
import { type CellProps, useBoard } from './board-context.ts';
import { ColumnCards } from './column-cards.tsx';
import { newTaskValuesIn } from './new-task-values.ts';
import { type AddPlace, QuickAdd } from './quick-add.tsx';
import type { CardsOnScreen } from './use-column-cards.ts';

interface CellBodyProps extends CellProps {
  readonly cards: CardsOnScreen;
  /** What one calls the place. */
  readonly name: string;
}

export function CellBody(props: CellBodyProps) {
  const { boardColumn, fresh, first, adding, cards, name } = props;
  const { grouping, laneGrouping, home, canWrite, filtered, onAdd, onAdded } = useBoard();
  const { id, tasks, lane } = boardColumn;
  const { latest, live } = cards;
  const column = boardColumn.column ?? home;
  const canAdd = canWrite && home !== null && column !== null;
  const quickAdd = (place: AddPlace) =>
    column && (
      <QuickAdd
        column={column}
        name={name}
        beginning={newTaskValuesIn(boardColumn, grouping, laneGrouping)}
        place={place}
        onClose={onAdded}
        onAdded={(count) =>
          requestAnimationFrame(() => {
            const hidden = tasks.length + count - latest.current.length;
            if (filtered && hidden > 0) showMessage(t('board.addedHidden', { n: hidden }));
            live.current.scrollToIndex(place === 'top' ? 0 : latest.current.length - 1);
          })
        }
      />
    );
  return (
    <>
      {canAdd && adding === 'top' && quickAdd('top')}
      <ColumnCards cellId={id} name={name} tasks={tasks} cards={cards} />
      {tasks.length === 0 && !adding && lane === null && <NoCards {...props} />}
      {canAdd && adding === 'end' && quickAdd('end')}
      {canAdd && adding !== 'end' && (
        <button
          type="button"
          className={`${shapes.rowS3} ${shapes.pressInk} ${shapes.quiet} ${shapes.value} ${styles.columnAdd} ${fresh && first ? styles.columnAddFirst : ''}`}
          data-add-task
          onClick={() => onAdd(id, 'end')}
        >
          <Plus size={15} aria-hidden="true" />
          {t('board.add')}
        </button>
      )}
    </>
  );
}

/** Why there are none: the filter hides them, nothing has been written yet, or nothing is here now. */
function NoCards({ boardColumn: { column, total }, fresh, first }: CellProps) {
  const { filtered, canWrite, home } = useBoard();
  return (
    <p className={`${shapes.quietS} ${styles.columnEmpty}`}>
      {filtered && total > 0
        ? t('board.emptyFiltered')
        : fresh && column
          ? t(`board.emptyKinds.${column.kind}`)
          : t('board.emptyColumn')}
      {fresh && first && canWrite && home !== null && ` ${t('board.emptyFirst')}`}
    </p>
  );
}
