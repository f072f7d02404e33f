// Printing a text alone, without the page around it.

/** Returns what takes the text out of the page, for browsers that don't say when they have printed. */
export function printText(title: string, text: string): () => void {
  const frame = document.createElement('iframe');
  frame.title = title;
  // Out of sight, yet drawn: what is not drawn is not printed.
  frame.className = 'only-spoken';
  frame.ariaHidden = 'true';
  document.body.append(frame);
  const { contentDocument: paper, contentWindow: view } = frame;
  const remove = (): void => frame.remove();
  if (paper === null || view === null) return remove;
  paper.title = title;
  const words = paper.createElement('pre');
  words.textContent = text;
  paper.body.append(words);
  view.addEventListener('afterprint', remove);
  view.print();
  return remove;
}
