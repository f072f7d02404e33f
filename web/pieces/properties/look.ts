// Type of the look of a kind: the value on cards and in cells, and the control that changes it.

import type { ComponentType } from 'react';
import type { Property as PropertyName } from '../../../contract/views.ts';
import type { Trigger } from '../../ui/overlays/popover.tsx';

interface Of {
  readonly of: PropertyName;
  readonly projectId: string;
}

export interface ValueProps<V> extends Of {
  readonly value: V;
}

export interface PickerProps<V> extends Of {
  readonly value: V | null;
  readonly label: string;
  /** Null empties it. A fault comes back, and it stays open. */
  readonly onChange: (value: V | null) => string | null;
  readonly trigger: Trigger;
  readonly startOpen?: boolean;
  readonly onClosed?: () => void;
}

export interface EditorProps<V> extends Pick<PickerProps<V>, keyof Of | 'value' | 'onChange'> {
  readonly canWrite: boolean;
  /** The name it has in the page, and the one screen readers say. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** Of its field, where it is one. */
  readonly id?: string;
}

/** `V`: the value of a task that has one. */
export interface Look<V> {
  readonly Card: ComponentType<ValueProps<V>>;
  readonly Cell: ComponentType<ValueProps<V>>;
  /** In the panel of a task and in settings. */
  readonly Editor: ComponentType<EditorProps<V>>;
  /** Opened over a cell, where values are picked. */
  readonly Picker?: ComponentType<PickerProps<V>>;
}
