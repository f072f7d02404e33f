// Figures of a table as its maker's language writes them. Which mark is the decimal one, the whole column tells; before three digits, where
// nothing tells, it is the point, as programs write.

/** As many digits behind it as no group has, or groups of the other mark before it. */
const tells = (value: string, mark: ',' | '.'): boolean =>
  (mark === ','
    ? /^\d*,(?:\d{1,2}|\d{4,})$|^\d{1,3}(?:\.\d{3})+,\d+$/
    : /^\d*\.(?:\d{1,2}|\d{4,})$|^\d{1,3}(?:,\d{3})+\.\d+$/
  ).test(value);

export function decimalMarkOf(values: Iterable<string>): ',' | '.' {
  let comma = false;
  for (const value of values) {
    if (tells(value, '.')) return '.';
    comma ||= tells(value, ',');
  }
  return comma ? ',' : '.';
}

/** Null: it is no figure from zero on. */
export function readFigure(text: string, decimal: ',' | '.'): number | null {
  const bare = text.replace(/[\s'’]/g, '');
  if (!/^\d[\d.,]*$|^[.,]\d+$/.test(bare)) return null;
  const last = Math.max(bare.lastIndexOf('.'), bare.lastIndexOf(','));
  const mark = bare[last];
  if (mark === undefined) return Number(bare);
  const isGroup =
    /^\d{1,3}(?:,\d{3})+$|^\d{1,3}(?:\.\d{3})+$/.test(bare) && (mark !== decimal || bare.indexOf(mark) < last);
  const [whole, rest] = isGroup ? [bare, ''] : [bare.slice(0, last), bare.slice(last + 1)];
  // Before the decimal mark stand digits, or groups of the other mark: `1.2.3` and a day are no figure.
  if (!isGroup && !(mark === ',' ? /^\d*$|^\d{1,3}(?:\.\d{3})+$/ : /^\d*$|^\d{1,3}(?:,\d{2,3})*,\d{3}$/).test(whole))
    return null;
  const number = Number(`${whole.replace(/[.,]/g, '')}.${rest}`);
  return Number.isNaN(number) ? null : number;
}
