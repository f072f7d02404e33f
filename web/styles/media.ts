// Kinds of windows, named once for sheets (`@media (--phone)`, which scripts/style-layers.ts writes out) and for code (ui/use-narrow.ts).

const upright = '(pointer: coarse) and (max-width: 40rem)';
/** A phone that lies down is wide and has little height; a tablet is wider. */
const lying = '(pointer: coarse) and (min-width: 40.01rem) and (max-width: 60rem) and (max-height: 30rem)';

/** Too narrow for two columns. */
const medium = '(max-width: 52rem)';

export const media = {
  upright,
  lying,
  phone: `${upright}, ${lying}`,
  /** As wide as a phone that is held upright, and narrower than most of them. */
  small: '(max-width: 40rem)',
  mini: '(max-width: 30rem)',
  medium,
  /** The navigation is a drawer. */
  narrow: `${medium}, ${upright}, ${lying}`,
  /** Wide enough for a panel beside what it belongs to. */
  large: '(min-width: 64rem)',
  /** Wide and high enough for the head of a project over both. */
  wide: '(min-width: 72rem) and (min-height: 30.01rem)',
  /** As high as a phone that lies down, or a window enlarged fourfold. */
  low: '(max-height: 30rem)',
} as const;
