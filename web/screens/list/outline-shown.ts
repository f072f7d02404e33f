// Outline of a list: subtasks stand under their parents, as a view says.

import type { Shown } from '../../../contract/views.ts';

export const isOutline = ({ outline }: Shown): boolean => outline === true;
