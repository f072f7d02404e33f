// Charts as SVG: standing bars, stacked areas, lying bars. Places are shares of the room, so that a chart is whole in its first paint,
// follows every width and prints; colours are tokens, so both themes are one drawing. Numbers as a table are left to the screen.

import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { sayNumber } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import styles from './charts.module.css';

export interface Series {
  readonly key: string;
  readonly name: string;
  readonly color: string;
}

type Row = { readonly name: string } & Readonly<Record<string, string | number>>;

export interface ChartProps {
  readonly series: readonly Series[];
  /** A row of lying bars may have its figure written out, under `figure`. */
  readonly rows: readonly Row[];
  readonly label: string;
}

const figureOf = (row: Row, { key }: Series): number => Number(row[key] ?? 0);
const sumOf = (row: Row, series: readonly Series[]): number => series.reduce((sum, one) => sum + figureOf(row, one), 0);
const percent = (share: number): string => `${share * 100}%`;

export function Bars({ series, rows, label }: ChartProps) {
  const { ticks, top } = scaleFor(Math.max(0, ...rows.flatMap((row) => series.map((one) => figureOf(row, one)))));
  return (
    <Standing series={series} rows={rows} label={label} places={bands} ticks={ticks}>
      <g style={{ '--count': series.length } as CSSProperties}>
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two rows may have one name; they never move by themselves
          <svg key={at} x={percent(at / rows.length)} width={percent(1 / rows.length)} aria-hidden="true">
            {series.map(
              (one, place) =>
                figureOf(row, one) > 0 && (
                  <rect
                    key={one.key}
                    className={styles.bar}
                    fill={one.color}
                    style={{ '--place': place, '--share': figureOf(row, one) / top } as CSSProperties}
                  />
                ),
            )}
          </svg>
        ))}
      </g>
    </Standing>
  );
}

export function Flow({ series, rows, label }: ChartProps) {
  const { ticks, top } = scaleFor(Math.max(0, ...rows.map((row) => sumOf(row, series))));
  const last = rows.length - 1;
  const pointsAbove = (count: number): string[] =>
    rows.map((row, at) => `${at},${top - sumOf(row, series.slice(0, count))}`);
  return (
    <Standing series={series} rows={rows} label={label} places={points} ticks={ticks}>
      <svg viewBox={`0 0 ${Math.max(1, last)} ${top}`} preserveAspectRatio="none" aria-hidden="true">
        {series.map(({ key, color }, place) => (
          <path
            key={key}
            className={styles.area}
            fill={color}
            d={`M${[...pointsAbove(place + 1), ...pointsAbove(place).reverse()].join('L')}Z`}
          />
        ))}
      </svg>
    </Standing>
  );
}

export function Lying({ series, rows, label }: ChartProps) {
  const top = Math.max(1, ...rows.map((row) => sumOf(row, series)));
  return (
    <Figure series={series} label={label}>
      <Reader series={series} rows={rows} label={label} places={bands} lying>
        {rows.map((row, at) => {
          const sum = sumOf(row, series);
          let before = 0;
          return (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: two rows may have one name; they never move by themselves
              key={at}
              className={`${shapes.softXs} ${shapes.stackS3} ${shapes.holder} ${shapes.level} ${styles.line}`}
            >
              <span className={`${shapes.cut} ${shapes.small} ${styles.lineName}`}>{row.name}</span>
              <span className={`${shapes.rowS3} ${styles.lineRoom}`}>
                <svg className={styles.lineBar} style={{ '--share': sum / top } as CSSProperties} aria-hidden="true">
                  {series.map((one) => {
                    const share = sum > 0 ? figureOf(row, one) / sum : 0;
                    const from = before;
                    before += share;
                    return (
                      <rect key={one.key} x={percent(from)} width={percent(share)} height="100%" fill={one.color} />
                    );
                  })}
                </svg>
                <span className="numbers">{row.figure}</span>
              </span>
            </div>
          );
        })}
      </Reader>
    </Figure>
  );
}

/** Where a row lies between the two ends of a chart, and which one lies at a place. */
interface Places {
  readonly of: (at: number, count: number) => number;
  readonly at: (share: number, count: number) => number;
}

const bands: Places = {
  of: (at, count) => (at + 0.5) / count,
  at: (share, count) => Math.floor(share * count),
};
const points: Places = {
  of: (at, count) => at / Math.max(1, count - 1),
  at: (share, count) => Math.round(share * (count - 1)),
};

/** Whole, round numbers from 0, five at most; `top` is the last. */
function scaleFor(most: number): { readonly ticks: readonly number[]; readonly top: number } {
  const least = Math.max(1, most / 4);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 2.5, 5, 10].map((n) => n * power).find((n) => n >= least && Number.isInteger(n)) ?? 1;
  const steps = Math.max(1, Math.ceil(most / step));
  return { ticks: Array.from({ length: steps + 1 }, (_, n) => n * step), top: steps * step };
}

function Figure({ series, label, children }: { series: readonly Series[]; label: string; children: ReactNode }) {
  return (
    <figure className={shapes.slim} aria-label={label}>
      {series.length > 1 && (
        <ul className={`${shapes.softS} ${shapes.flex} ${shapes.wraps} ${styles.keys}`}>
          {series.map(({ key, name, color }) => (
            <li key={key}>
              <svg className={styles.key} aria-hidden="true">
                <rect width="100%" height="100%" rx="3" fill={color} />
              </svg>
              {name}
            </li>
          ))}
        </ul>
      )}
      {children}
    </figure>
  );
}

/** Numbers at the side, names below. */
function Standing({
  ticks,
  children,
  ...chart
}: ChartProps & { places: Places; ticks: readonly number[]; children: ReactNode }) {
  const last = ticks.length - 1;
  return (
    <Figure series={chart.series} label={chart.label}>
      <div className={`${shapes.grid} ${styles.standing}`}>
        <div className={`${shapes.quietXs} ${shapes.flex} ${shapes.spread} ${styles.ticks} numbers`} aria-hidden="true">
          {ticks.map((tick) => (
            <span key={tick}>{sayNumber(tick)}</span>
          ))}
        </div>
        <Reader {...chart}>
          <svg className={`${shapes.full} ${shapes.over} ${shapes.tall} ${styles.drawing}`} aria-hidden="true">
            {ticks.map((tick, at) => (
              <line key={tick} className={styles.grid} x2="100%" y1={percent(at / last)} y2={percent(at / last)} />
            ))}
            {children}
            <line className={styles.ground} x2="100%" y1="100%" y2="100%" />
          </svg>
        </Reader>
        <Names rows={chart.rows} places={chart.places} />
      </div>
    </Figure>
  );
}

/** As many of the names as stand beside each other. */
function Names({ rows, places }: { rows: readonly Row[]; places: Places }) {
  const line = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState({ step: 1, last: 1 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other names have other widths
  useLayoutEffect(() => {
    const names = line.current;
    if (names === null) return;
    const look = (): void => {
      const widths = [...names.children].map((name) => name.getBoundingClientRect().width);
      const share = Math.max(0, ...widths) / Math.max(1, names.clientWidth);
      setRoom({ step: Math.max(1, Math.ceil(share * widths.length)), last: 1 - share / 2 });
    };
    look();
    const watch = new ResizeObserver(look);
    watch.observe(names);
    return () => watch.disconnect();
  }, [rows]);
  return (
    <div ref={line} className={`${shapes.quietXs} ${shapes.holder} ${styles.names}`} aria-hidden="true">
      {rows.map(({ name }, at) => {
        const place = places.of(at, rows.length);
        const fits = at % room.step === 0 && place <= room.last;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two rows may have one name; they never move by themselves
          <span key={at} style={{ left: percent(fits ? place : 0) }} data-left-out={!fits || undefined}>
            {name}
          </span>
        );
      })}
    </div>
  );
}

/** Says one row under the pointer or, with arrow keys, one after the other. To a screen reader it is a slider over the rows. */
function Reader({
  series,
  rows,
  label,
  places,
  lying = false,
  children,
}: ChartProps & { places: Places; lying?: boolean; children: ReactNode }) {
  const [chosen, setAt] = useState<number | null>(null);
  const last = rows.length - 1;
  const at = chosen === null ? null : Math.min(chosen, last);
  const onPointer = ({ clientX, clientY, currentTarget }: PointerEvent): void => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    const share = lying ? (clientY - top) / height : (clientX - left) / width;
    setAt(Math.max(0, Math.min(last, places.at(share, rows.length))));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') setAt(null);
    const next = stepTo(event.key, at ?? 0, last, lying);
    if (next === undefined) return;
    event.preventDefault();
    setAt(Math.max(0, Math.min(last, next)));
  };
  const said = useMemo(
    () =>
      rows.map((row) => series.map((one) => ({ key: one.key, text: `${one.name}: ${sayNumber(figureOf(row, one))}` }))),
    [rows, series],
  );
  if (last < 0) return null;
  const place = at === null ? 0 : places.of(at, rows.length);
  return (
    <div
      className={`${shapes.holder} ${shapes.slim} ${shapes.roundS} ${styles.reader}`}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-orientation={lying ? 'vertical' : 'horizontal'}
      aria-valuemin={1}
      aria-valuemax={rows.length}
      aria-valuenow={(at ?? 0) + 1}
      aria-valuetext={`${rows[at ?? 0]?.name}: ${said[at ?? 0]?.map(({ text }) => text).join(', ')}`}
      style={{ '--at': percent(place), '--band': percent(1 / rows.length) } as CSSProperties}
      data-past-half={place > 0.5 || undefined}
      onPointerDown={onPointer}
      onPointerMove={onPointer}
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setAt(null)}
      onFocus={() => setAt((now) => now ?? 0)}
      onBlur={() => setAt(null)}
      onKeyDown={onKeyDown}
    >
      {at !== null && <div className={places === points ? styles.thread : styles.band} />}
      {children}
      {at !== null && (
        <div className={`${shapes.grid} ${shapes.over} ${shapes.small} ${styles.tip}`}>
          <strong>{rows[at]?.name}</strong>
          {said[at]?.map(({ key, text }) => (
            <span key={key}>{text}</span>
          ))}
        </div>
      )}
    </div>
  );
}

function stepTo(key: string, at: number, last: number, lying: boolean): number | undefined {
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  if (key === (lying ? 'ArrowDown' : 'ArrowRight')) return at + 1;
  return key === (lying ? 'ArrowUp' : 'ArrowLeft') ? at - 1 : undefined;
}
