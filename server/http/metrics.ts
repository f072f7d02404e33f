// Counts and latencies of requests by route, method and status. Recording is one map lookup and a few additions on
// plain numbers, so that it may stand on the hot path; the Prometheus text is made when somebody asks for it.

export type Gauge = () => number | Promise<number>;

/** Several numbers of one name, told apart by the values of one label, of which there are few. */
export interface Labelled {
  readonly name: string;
  readonly help: string;
  readonly label: string;
}

export interface Metrics {
  /** Route is the pattern, never the path: the number of series stays small. */
  record(route: string, method: string, status: number, seconds: number): void;
  /** A number read when scraped: pool, queue, sockets. One that cannot be read is left out. */
  gauge(name: string, help: string, read: Gauge): void;
  /** The same for a name with a label: by its values. */
  gauges(about: Labelled, read: () => Promise<ReadonlyMap<string, number>> | ReadonlyMap<string, number>): void;
  /** Counts from here on, one series for each of these values from the start; what is none of them is not counted. */
  counter(about: Labelled, values: readonly string[]): (value: string) => void;
  text(): Promise<string>;
  /** Of all routes but these, since the start. */
  totals(except: ReadonlySet<string>): Totals;
}

/** Refused is 4xx, failed is 5xx; both are among the requests. */
export interface Totals {
  readonly requests: number;
  readonly refused: number;
  readonly failed: number;
}

interface Series {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  count: number;
  seconds: number;
  readonly buckets: number[];
}

const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(): Metrics {
  const byRoute = new Map<string, Map<number, Series>>();
  const gauges = new Map<string, { help: string; read: Gauge }>();
  const labelled = new Map<string, Labelled & { type: 'gauge' | 'counter'; read: () => Counts | Promise<Counts> }>();

  function seriesOf(route: string, method: string, status: number): Series {
    const key = `${method} ${route}`;
    let byStatus = byRoute.get(key);
    if (byStatus === undefined) {
      byStatus = new Map();
      byRoute.set(key, byStatus);
    }
    let series = byStatus.get(status);
    if (series === undefined) {
      series = { route, method, status, count: 0, seconds: 0, buckets: new Array<number>(bounds.length).fill(0) };
      byStatus.set(status, series);
    }
    return series;
  }

  return {
    record(route, method, status, seconds) {
      const series = seriesOf(route, method, status);
      series.count += 1;
      series.seconds += seconds;
      for (let index = 0; index < bounds.length; index += 1)
        if (seconds <= (bounds[index] as number)) {
          series.buckets[index] = (series.buckets[index] as number) + 1;
          break;
        }
    },
    gauge(name, help, read) {
      gauges.set(name, { help, read });
    },
    gauges(about, read) {
      labelled.set(about.name, { ...about, type: 'gauge', read });
    },
    counter(about, values) {
      const counts = new Map(values.map((value) => [value, 0]));
      labelled.set(about.name, { ...about, type: 'counter', read: () => counts });
      return (value) => {
        const count = counts.get(value);
        if (count !== undefined) counts.set(value, count + 1);
      };
    },
    async text() {
      const all = [...byRoute.values()].flatMap((byStatus) => [...byStatus.values()]);
      const lines = [
        '# HELP kanbase_http_requests_total Requests answered.',
        '# TYPE kanbase_http_requests_total counter',
      ];
      for (const series of all) lines.push(`kanbase_http_requests_total{${labels(series)}} ${series.count}`);
      lines.push('# HELP kanbase_http_request_duration_seconds Time to the last byte of the answer.');
      lines.push('# TYPE kanbase_http_request_duration_seconds histogram');
      for (const series of all) lines.push(...histogram(series));
      const read = await Promise.allSettled(
        [...gauges].map(async ([name, one]) => [name, one.help, await one.read()] as const),
      );
      for (const one of read) {
        if (one.status === 'rejected') continue;
        const [name, help, value] = one.value;
        lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${value}`);
      }
      lines.push(...(await labelledLines([...labelled.values()])));
      return `${lines.join('\n')}\n`;
    },
    totals(except) {
      let [requests, refused, failed] = [0, 0, 0];
      for (const byStatus of byRoute.values())
        for (const { route, status, count } of byStatus.values()) {
          if (except.has(route)) continue;
          requests += count;
          if (status >= 500) failed += count;
          else if (status >= 400) refused += count;
        }
      return { requests, refused, failed };
    },
  };
}

type Counts = ReadonlyMap<string, number>;

async function labelledLines(
  all: readonly (Labelled & { readonly type: string; readonly read: () => Counts | Promise<Counts> })[],
): Promise<string[]> {
  const read = await Promise.allSettled(all.map(async (one) => [one, await one.read()] as const));
  return read.flatMap((one) => {
    if (one.status === 'rejected') return [];
    const [{ name, help, label, type }, counts] = one.value;
    const values = [...counts].map(([value, count]) => `${name}{${label}="${escapeLabel(value)}"} ${count}`);
    return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...values];
  });
}

function labels({ route, method, status }: Series): string {
  return `route="${escapeLabel(route)}",method="${escapeLabel(method)}",status="${status}"`;
}

function histogram(series: Series): string[] {
  const name = 'kanbase_http_request_duration_seconds';
  const own = labels(series);
  let below = 0;
  const lines = bounds.map((bound, index) => {
    below += series.buckets[index] ?? 0;
    return `${name}_bucket{${own},le="${bound}"} ${below}`;
  });
  lines.push(`${name}_bucket{${own},le="+Inf"} ${series.count}`);
  lines.push(`${name}_sum{${own}} ${series.seconds}`, `${name}_count{${own}} ${series.count}`);
  return lines;
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
