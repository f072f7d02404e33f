// Printing a text alone, without the page around it.

export function printText(title: string, text: string): void {
  const frame = document.createElement('iframe');
  frame.title = title;
  // Out of sight, yet drawn: what is not drawn is not printed.
  frame.className = 'only-spoken';
  frame.ariaHidden = 'true';
  document.body.append(frame);
  const { contentDocument: paper, contentWindow: view } = frame;
  if (paper === null || view === null) return;
  paper.title = title;
  const words = paper.createElement('pre');
  words.textContent = text;
  paper.body.append(words);
  view.addEventListener('afterprint', () => frame.remove());
  view.print();
}
