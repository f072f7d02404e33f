// Field that picks one of a fixed set of colours.

import { useId } from 'react';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { swatches } from '../palette.ts';
import fieldStyles from './field.module.css';
import styles from './swatch-field.module.css';

export function SwatchField({
  label,
  value,
  onPick,
  disabled = false,
}: {
  label: string;
  value: string | null;
  onPick: (hex: string) => void;
  disabled?: boolean;
}) {
  const name = useId();
  // A colour that came from elsewhere stays on offer.
  const own = value !== null && !swatches.some((swatch) => swatch.hex === value.toLowerCase());
  const named = swatches.map((swatch) => ({ hex: swatch.hex as string, name: t(`common.colours.${swatch.name}`) }));
  const offered = own ? [{ name: value, hex: value.toLowerCase() }, ...named] : named;
  return (
    <fieldset disabled={disabled}>
      <legend className={`${shapes.softS} ${fieldStyles.fieldLabel}`}>{label}</legend>
      <div className={`${shapes.stackS3} ${styles.swatches}`}>
        {offered.map((swatch) => (
          <label
            key={swatch.hex}
            className={`${shapes.ownColours} ${shapes.holder} ${styles.swatch}`}
            style={{ background: swatch.hex }}
            title={swatch.name}
          >
            <input
              type="radio"
              name={name}
              checked={value?.toLowerCase() === swatch.hex}
              onChange={() => onPick(swatch.hex)}
            />
            <span className="only-spoken">{swatch.name}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
