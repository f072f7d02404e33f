// The picture of each layout, in tabs and in the display of a view.

import { CalendarDays, ChartColumn, ChartGantt, List, type LucideIcon, SquareKanban } from 'lucide-react';
import type { Layout } from '../../../contract/views.ts';

export const layoutIcons: Readonly<Record<Layout, LucideIcon>> = {
  board: SquareKanban,
  list: List,
  calendar: CalendarDays,
  timeline: ChartGantt,
  dashboard: ChartColumn,
};
