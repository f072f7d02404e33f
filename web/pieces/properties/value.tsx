// Value of a task in a property, changed in place by the control of its kind; and in a cell or on a card.

import type { Property as PropertyName } from '../../../contract/views.ts';
import { setCells, useAct } from '../../commands.ts';
import { propertyNamed } from '../../properties/properties.ts';
import type { PropertyValue } from '../../properties/property.ts';
import { valueIn } from '../../properties/values.ts';
import { type TaskRow, useQuery } from '../../queries.ts';
import type { EditorProps, PickerProps, ValueProps } from './look.ts';
import { lookOf } from './looks.ts';

interface Of {
  readonly of: PropertyName;
  readonly task: TaskRow;
}

function useValue({ of, task }: Of) {
  const act = useAct();
  const property = propertyNamed(of);
  const value = useQuery(valueIn, of, task.id);
  return {
    of,
    projectId: task.project_id,
    value,
    onChange(next: PropertyValue | null): string | null {
      const wrong = property.check(task, next);
      if (wrong !== null) return wrong;
      const written = property.write(next);
      if ('fault' in written) return written.fault;
      void act(setCells, [{ taskId: task.id, cell: written.cell }]);
      return null;
    },
  };
}

export function ValueEditor(props: Of & Pick<EditorProps<unknown>, 'canWrite' | 'name' | 'label' | 'hint' | 'id'>) {
  const { Editor } = lookOf(propertyNamed(props.of).kind);
  const { task: _, ...rest } = props;
  return <Editor {...rest} {...useValue(props)} />;
}

export function ValuePicker(props: Of & Pick<PickerProps<unknown>, 'trigger' | 'label' | 'startOpen' | 'onClosed'>) {
  const { Picker } = lookOf(propertyNamed(props.of).kind);
  const { task: _, ...rest } = props;
  const held = useValue(props);
  return Picker ? <Picker {...rest} {...held} /> : null;
}

export function ValueFace({ at, ...value }: ValueProps<PropertyValue> & { readonly at: 'Card' | 'Cell' }) {
  const Face = lookOf(propertyNamed(value.of).kind)[at];
  return <Face {...value} />;
}
