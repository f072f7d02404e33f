// Parts of a card that a board shows, each turned on or off.

import { fieldProperty } from '../../../../contract/field-properties.ts';
import { fieldsOf, useQuery } from '../../../queries.ts';
import { t } from '../../../strings/messages.ts';
import { nameProperty } from '../../../strings/name-property.ts';
import shapes from '../../../styles/shapes.module.css';
import { cardParts, partsShown } from '../../board/card-shown.ts';
import type { ViewHandle } from '../view-handle.ts';
import styles from './display-popover.module.css';

export function CardParts({ projectId, handle }: { projectId: string; handle: ViewHandle }) {
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
    <fieldset className={styles.section}>
      <legend>{t('views.display.shown')}</legend>
      <div className={shapes.wrapS2}>
        {all.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            className={`${shapes.softS} ${shapes.press} ${shapes.bordered} ${styles.part}`}
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
