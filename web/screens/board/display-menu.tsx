// Display menu of a board: columns, lanes, order, and the parts of a card. Fetched when it is opened.

import { fieldProperty } from '../../../contract/field-properties.ts';
import type { Grouping } from '../../../contract/views.ts';
import { fieldsOf, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { nameProperty } from '../../strings/name-property.ts';
import shapes from '../../styles/shapes.module.css';
import { CheckField, SelectField } from '../../ui/fields/field.tsx';
import SortLevels from '../project/sort-levels.tsx';
import { useGroupings } from '../project/view-choices.ts';
import type { ViewHandle } from '../project/view-handle.ts';
import { cardParts, hidesEmpty, partsShown } from './card-shown.ts';
import styles from './display-menu.module.css';

const none = 'none';

export default function DisplayMenu({ projectId, handle }: { projectId: string; handle: ViewHandle }) {
  const { grouping, lanes, shown } = handle.view;
  const groupings = useGroupings(projectId).map(({ by, name }) => ({ value: by as string, label: name }));
  const columns = grouping ?? 'column';
  return (
    <div className={`${shapes.stackS4} ${styles.display}`}>
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
      <SortLevels projectId={projectId} handle={handle} plain={projectId === '' ? 'number' : 'column'} />
      <CheckField
        label={t('views.display.hideEmpty')}
        checked={hidesEmpty(shown)}
        onChange={() => {
          const { empty, ...rest } = shown;
          handle.set({ shown: empty === false ? rest : { ...rest, empty: false } });
        }}
      />
      <ShownOnCards projectId={projectId} handle={handle} />
    </div>
  );
}

function ShownOnCards({ projectId, handle }: { projectId: string; handle: ViewHandle }) {
  const fields = useQuery(fieldsOf, projectId);
  const { shown } = handle.view;
  const chosen = partsShown(shown);
  const all = [
    ...cardParts.map((id): { id: string; name: string } => ({
      id,
      name: nameProperty(`views.display.parts.${id}`, id),
    })),
    ...fields.map(({ id, kind, name }) => ({ id: fieldProperty(kind, id) as string, name })),
  ];
  function turn(id: string): void {
    const card = all.map((one) => one.id).filter((one) => chosen.includes(one) !== (one === id));
    const { card: _, ...rest } = shown;
    // What is shown anyway need not be said.
    handle.set({ shown: card.join() === cardParts.join() ? rest : { ...rest, card } });
  }
  return (
    <fieldset className={`${shapes.stackS3} ${styles.parts}`}>
      <legend>{t('views.display.shown')}</legend>
      <div className={shapes.wrapS2}>
        {all.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            className={`${shapes.softS} ${shapes.press} ${styles.part}`}
            aria-pressed={chosen.includes(id)}
            onClick={() => turn(id)}
          >
            {name}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
