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

const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
const ink = { fill: 'var(--ink-3)', fontSize: 12 } as const;
const motion = { isAnimationActive: !still, animationDuration: 350 } as const;

const tooltip = (
  <Tooltip
    cursor={{ fill: 'var(--hover)', stroke: 'var(--line-strong)' }}
    isAnimationActive={false}
    contentStyle={{
      background: 'var(--raised)',
      border: '1px solid var(--line-strong)',
      borderRadius: 8,
      boxShadow: 'var(--shadow-m)',
      fontSize: 13,
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
    <figure className="chart" aria-label={label}>
      {series.length > 1 && (
        <ul className="chart-keys">
          {series.map((one) => (
            <li key={one.key}>
              <span className="chart-key" style={{ background: one.color }} aria-hidden="true" />
              {one.name}
            </li>
          ))}
        </ul>
      )}
      <div style={{ height }}>
        <ResponsiveContainer width="100%" height="100%">
          {children}
        </ResponsiveContainer>
      </div>
    </figure>
  );
}

export function Bars({ series, rows, label }: ChartProps) {
  return (
    <Frame label={label} height={220} series={series}>
      <BarChart data={[...rows]} margin={{ top: 6, right: 4, bottom: 0, left: 0 }} barGap={2} barCategoryGap="24%">
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="name" tick={ink} tickLine={false} axisLine={{ stroke: 'var(--line-strong)' }} minTickGap={8} />
        <YAxis tick={ink} tickLine={false} axisLine={false} allowDecimals={false} width="auto" />
        {tooltip}
        {series.map(({ key, name, color }) => (
          <Bar key={key} dataKey={key} name={name} fill={color} radius={[3, 3, 0, 0]} maxBarSize={22} {...motion} />
        ))}
      </BarChart>
    </Frame>
  );
}

export function Flow({ series, rows, label }: ChartProps) {
  return (
    <Frame label={label} height={240} series={series}>
      <AreaChart data={[...rows]} margin={{ top: 6, right: 4, bottom: 0, left: 0 }}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="name" tick={ink} tickLine={false} axisLine={{ stroke: 'var(--line-strong)' }} minTickGap={28} />
        <YAxis tick={ink} tickLine={false} axisLine={false} allowDecimals={false} width="auto" />
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

export function Lying({ series, rows, label }: ChartProps) {
  const several = series.length > 1;
  return (
    <Frame label={label} height={rows.length * rowHeight + 12} series={series}>
      <BarChart
        data={[...rows]}
        layout="vertical"
        margin={{ top: 0, right: 36, bottom: 0, left: 0 }}
        barCategoryGap="28%"
      >
        <XAxis type="number" hide domain={[0, 'dataMax']} />
        <YAxis
          type="category"
          dataKey="name"
          width={112}
          tick={{ ...ink, fill: 'var(--ink-2)', fontSize: 13 }}
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
            maxBarSize={18}
            {...(several ? { stackId: 'all' } : {})}
            radius={at === series.length - 1 ? [0, 3, 3, 0] : 0}
            {...motion}
          >
            {!several && <LabelList dataKey={key} position="right" fill="var(--ink-2)" fontSize={12} />}
          </Bar>
        ))}
      </BarChart>
    </Frame>
  );
}

function shorten(name: string): string {
  return name.length > 15 ? `${name.slice(0, 14)}…` : name;
}
