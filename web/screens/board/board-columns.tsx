// The columns of the board, side by side. Drawn again only when one of its properties is another: not while a card is on its way.

import { memo } from 'react';
import type { Board } from '../../queries.ts';
import { useBoard } from './board-context.ts';
import { Column } from './column.tsx';
import type { Adding } from './use-adding.ts';

export interface BoardColumnsProps {
  readonly board: Board;
  readonly collapsed: ReadonlySet<string>;
  readonly adding: Adding | null;
}

export const BoardColumns = memo(function BoardColumns({ board, collapsed, adding }: BoardColumnsProps) {
  const { home } = useBoard();
  return board.columns.map((boardColumn, at) => (
    <Column
      key={boardColumn.id}
      boardColumn={boardColumn}
      fresh={board.total === 0 && home !== null}
      first={at === 0}
      collapsed={collapsed.has(boardColumn.id)}
      adding={adding?.columnId === boardColumn.id ? adding.place : null}
    />
  ));
});
