// The figures of a project, or of all one's projects, as the server counts them.

import type { ColumnKind, Priority } from '../../sync/rows/rows.ts';
import type { LiveResult } from '../../sync/use-result.ts';
import { useResult } from '../../sync/use-result.ts';
import type { FieldFigures } from './field-figures.ts';

export interface Metrics {
  readonly project_id: string | null;
  readonly generated_at: string;
  readonly tasks: {
    readonly total: number;
    readonly open: number;
    readonly completed: number;
    readonly overdue: number;
    readonly due_this_week: number;
    readonly unassigned: number;
    readonly blocked: number;
  };
  readonly by_kind: Readonly<Record<ColumnKind, number>>;
  readonly by_priority: Readonly<Record<Priority, number>>;
  readonly by_column: readonly {
    readonly column_id: string;
    readonly name: string;
    readonly kind: ColumnKind;
    readonly count: number;
    readonly wip_limit: number | null;
  }[];
  readonly by_assignee: readonly {
    readonly user_id: string;
    readonly display_name: string | null;
    readonly open: number;
    readonly completed: number;
  }[];
  readonly throughput: readonly { readonly week: string; readonly created: number; readonly completed: number }[];
  readonly cumulative_flow: readonly ({ readonly day: string } & Readonly<Record<ColumnKind, number>>)[];
  readonly cycle_time_days: { readonly p50: number | null; readonly p90: number | null };
  readonly lead_time_days: { readonly p50: number | null; readonly p90: number | null };
  /** Of one project; what an older version left on this device has none. */
  readonly by_field?: readonly FieldFigures[];
}

/** Null: all my projects. */
export function useMetrics(projectId: string | null): LiveResult<Metrics> {
  return useResult<Metrics>('dashboard_metrics', projectId === null ? {} : { project_id: projectId });
}
