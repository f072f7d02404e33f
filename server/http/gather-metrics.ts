// Gathers /metrics from several processes, each under its name. The process that is asked asks the main process, which asks every other;
// one that does not answer in time is left out.

import cluster, { type Worker } from 'node:cluster';

/** Makes of how one process tells its own figures how it tells those of all. */
export type GatherMetrics = (own: () => Promise<string>) => () => Promise<string>;

type Message =
  | { readonly figures: 'wanted' | 'own'; readonly id: number }
  | { readonly figures: 'all' | 'mine'; readonly id: number; readonly text: string };

const timeoutMs = 2000;

const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'figures' in message;

/** For a process that serves: asks the main one, and tells it its own. */
export const askMain: GatherMetrics = (own) => {
  const waiting = new Map<number, (text: string) => void>();
  let asked = 0;
  process.on('message', (message: unknown) => {
    if (!isMessage(message)) return;
    const { id } = message;
    if (message.figures === 'own') void own().then((text) => process.send?.({ figures: 'mine', id, text }));
    if (message.figures === 'all') waiting.get(id)?.(message.text);
  });
  return async () => {
    const id = ++asked;
    const answer = new Promise<string>((resolve) => waiting.set(id, resolve));
    process.send?.({ figures: 'wanted', id });
    const text = await inTime(answer);
    waiting.delete(id);
    return text ?? own();
  };
};

/** For the main process, whose own figures are there too. */
export const askWorkers: GatherMetrics = (own) => {
  const waiting = new Map<string, (text: string) => void>();
  let asked = 0;
  const ask = (worker: Worker): Promise<string | null> => {
    const id = ++asked;
    const key = `${worker.id} ${id}`;
    const answer = new Promise<string>((resolve) => waiting.set(key, resolve));
    worker.send({ figures: 'own', id });
    return inTime(answer).finally(() => waiting.delete(key));
  };
  const all = async (): Promise<string> => {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected() === true) as Worker[];
    const texts = await Promise.all(workers.map(async (worker) => [String(worker.id), await ask(worker)] as const));
    return joinFigures([['main', await own()], ...texts.filter((one): one is [string, string] => one[1] !== null)]);
  };
  cluster.on('message', (worker, message: unknown) => {
    if (!isMessage(message)) return;
    const { id } = message;
    if (message.figures === 'mine') waiting.get(`${worker.id} ${id}`)?.(message.text);
    if (message.figures === 'wanted')
      void all().then((text) => worker.isConnected() && worker.send({ figures: 'all', id, text }));
  });
  return () => all();
};

/** Null: it took too long. */
function inTime(answer: Promise<string>): Promise<string | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, timeoutMs, null).unref());
  return Promise.race([answer, late]);
}

/** One text of several: the lines of one figure stand together, each with the process it is of. */
export function joinFigures(texts: readonly (readonly [worker: string, text: string])[]): string {
  const figures = new Map<string, { readonly head: string[]; readonly lines: string[] }>();
  for (const [worker, text] of texts) {
    let name = '';
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const comment = /^# (?:HELP|TYPE) (\S+)/.exec(line);
      name = comment?.[1] ?? name;
      const figure = figures.get(name) ?? { head: [], lines: [] };
      figures.set(name, figure);
      if (comment === null)
        figure.lines.push(
          line.replace(
            /^(\w+)(?:\{(.*?)\})? /,
            (_, of, labels) => `${of}{worker="${worker}"${labels ? `,${labels}` : ''}} `,
          ),
        );
      else if (!figure.head.includes(line)) figure.head.push(line);
    }
  }
  return `${[...figures.values()].flatMap(({ head, lines }) => [...head, ...lines]).join('\n')}\n`;
}
