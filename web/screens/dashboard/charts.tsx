// The three drawings of the dashboard: standing bars, stacked areas, lying bars. Colours are tokens, so both themes are one drawing.
// This file and the library behind it are fetched only when a dashboard is opened.

import type { ReactNode } from 'react';
import {
  Area,
  AreaChart,
  Bar,
  BarChart,
  CartesianGrid,
  LabelList,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { sayNumber } from '../../strings/messages.ts';
import styles from './dashboard.module.css';

export interface Series {
  readonly key: string;
  readonly name: string;
  readonly color: string;
}

export interface ChartProps {
  readonly series: readonly Series[];
  readonly rows: readonly ({ readonly name: string } & Readonly<Record<string, string | number>>)[];
  readonly label: string;
}

/** Figures are there to be read, at once: nothing grows in. */
const motion = { isAnimationActive: false } as const;

/** The drawings count in pixels; on the largest screens everything else is larger than those. */
const scale = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1;
const px = (size: number): number => Math.round(size * scale);
const small = px(12);
const ink = { fill: 'var(--ink-3)', fontSize: small } as const;
const say = (n: unknown): string => (typeof n === 'number' ? sayNumber(n) : String(n ?? ''));

const tooltip = (
  <Tooltip
    cursor={{ fill: 'var(--hover)', stroke: 'var(--line-strong)' }}
    isAnimationActive={false}
    separator=": "
    formatter={say}
    contentStyle={{
      background: 'var(--raised)',
      border: '1px solid var(--line-strong)',
      borderRadius: 'var(--radius-m)',
      boxShadow: 'var(--shadow-m)',
      fontSize: 'var(--text-s)',
    }}
    labelStyle={{ color: 'var(--ink)', fontWeight: 600 }}
    itemStyle={{ color: 'var(--ink)', padding: 0 }}
  />
);

function Frame({
  label,
  height,
  series,
  children,
}: {
  label: string;
  height: number;
  series: readonly Series[];
  children: ReactNode;
}) {
  return (
    <figure className={styles.chart} aria-label={label}>
      {series.length > 1 && (
        <ul className={styles.chartKeys}>
          {series.map((one) => (
            <li key={one.key}>
              <span className={styles.chartKey} style={{ background: one.color }} aria-hidden="true" />
              {one.name}
            </li>
          ))}
        </ul>
      )}
      <div style={{ height: px(height) }}>
        <ResponsiveContainer width="100%" height="100%">
          {children}
        </ResponsiveContainer>
      </div>
    </figure>
  );
}

/** Half a line above the highest figure, so that it stands beside its line. */
const frame = { top: px(8), right: px(4), bottom: 0, left: 0 } as const;

export function Bars({ series, rows, label }: ChartProps) {
  return (
    <Frame label={label} height={220} series={series}>
      <BarChart data={[...rows]} margin={frame} barGap={2} barCategoryGap="24%">
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="name" tick={ink} tickLine={false} axisLine={{ stroke: 'var(--line-strong)' }} minTickGap={8} />
        <YAxis tick={ink} tickLine={false} axisLine={false} allowDecimals={false} width="auto" tickFormatter={say} />
        {tooltip}
        {series.map(({ key, name, color }) => (
          <Bar key={key} dataKey={key} name={name} fill={color} radius={[3, 3, 0, 0]} maxBarSize={px(22)} {...motion} />
        ))}
      </BarChart>
    </Frame>
  );
}

export function Flow({ series, rows, label }: ChartProps) {
  return (
    <Frame label={label} height={240} series={series}>
      <AreaChart data={[...rows]} margin={frame}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="name" tick={ink} tickLine={false} axisLine={{ stroke: 'var(--line-strong)' }} minTickGap={28} />
        <YAxis tick={ink} tickLine={false} axisLine={false} allowDecimals={false} width="auto" tickFormatter={say} />
        {tooltip}
        {series.map(({ key, name, color }) => (
          <Area
            key={key}
            dataKey={key}
            name={name}
            stackId="all"
            type="linear"
            stroke="var(--surface)"
            strokeWidth={1}
            fill={color}
            fillOpacity={1}
            {...motion}
          />
        ))}
      </AreaChart>
    </Frame>
  );
}

const rowHeight = 36;
const nameWidth = px(120);
const nameSize = px(13);

/** A row may have its figure written out, under `figure`. */
export function Lying({ series, rows, label }: ChartProps) {
  const last = series.length - 1;
  return (
    <Frame label={label} height={rows.length * rowHeight + 12} series={series}>
      <BarChart
        data={[...rows]}
        layout="vertical"
        margin={{ top: 0, right: px(64), bottom: 0, left: 0 }}
        barCategoryGap="28%"
      >
        <XAxis type="number" hide domain={[0, 'dataMax']} />
        <YAxis
          type="category"
          dataKey="name"
          width={nameWidth}
          tick={{ fill: 'var(--ink-2)', fontSize: nameSize }}
          tickFormatter={shorten}
          tickLine={false}
          axisLine={false}
        />
        {tooltip}
        {series.map(({ key, name, color }, at) => (
          <Bar
            key={key}
            dataKey={key}
            name={name}
            fill={color}
            maxBarSize={px(18)}
            {...(last > 0 ? { stackId: 'all' } : {})}
            radius={at === last ? [0, 3, 3, 0] : 0}
            {...motion}
          >
            {at === last && <LabelList dataKey="figure" position="right" fill="var(--ink-2)" fontSize={small} />}
          </Bar>
        ))}
      </BarChart>
    </Frame>
  );
}

const pen = document.createElement('canvas').getContext('2d');

/** As much of a name as there is room for, whatever its letters are. */
function shorten(name: string): string {
  if (pen === null) return name;
  pen.font = `${nameSize}px ${getComputedStyle(document.body).fontFamily}`;
  const room = nameWidth - px(12);
  if (pen.measureText(name).width <= room) return name;
  const letters = [...name];
  while (letters.length > 1 && pen.measureText(`${letters.join('')}…`).width > room) letters.pop();
  return `${letters.join('').trimEnd()}…`;
}
