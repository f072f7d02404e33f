// The phone's way back out of a sheet, where the browser does not tell of it: an entry of the history, which going back leaves. One that a
// sheet left over, because it closed another way, serves the next sheet, and is passed over by whoever goes back.

interface Mark {
  /** This entry is for a sheet. */
  readonly sheet?: number;
  /** That one lies above it. */
  readonly under?: number;
}

const markHere = (): Mark => (history.state as Mark | null) ?? {};

/** The sheets that are open, the last one on top. */
const closers: (() => void)[] = [];
let last = Date.now();
/** Where we were before the history moved. */
let mark = markHere();
let address = location.href;

function addEntry(): void {
  if (markHere().sheet !== undefined) return;
  last++;
  history.replaceState({ ...history.state, under: last }, '');
  history.pushState({ sheet: last }, '');
}

function note(): void {
  mark = markHere();
  address = location.href;
}

// A screen that says its filters in the address says them on this entry, which stays one of a sheet.
addEventListener('replaceState', () => {
  const { sheet } = mark;
  if (sheet !== undefined && markHere().sheet === undefined) history.replaceState({ sheet }, '');
  else note();
});
addEventListener('pushState', note);
addEventListener(
  'popstate',
  () => {
    const { sheet } = mark;
    const before = address;
    note();
    if (sheet === undefined || mark.under !== sheet) return;
    const close = closers.at(-1);
    if (close === undefined) {
      history.back();
      return;
    }
    if (before !== address) history.replaceState(history.state, '', before);
    close();
    // One lies below it, or it asks something first.
    setTimeout(() => closers.length > 0 && addEntry());
  },
  true,
);

export function watchEntry(close: () => void): () => void {
  closers.push(close);
  addEntry();
  return () => {
    closers.splice(closers.indexOf(close), 1);
  };
}
