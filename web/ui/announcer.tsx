// Speaks to screen readers: a live region on the page, and a function to say something in it.

let region: HTMLElement | null = null;

export function Announcer() {
  return (
    <div
      ref={(element) => {
        region = element;
      }}
      className="only-spoken"
      role="status"
      aria-live="assertive"
      aria-atomic="true"
    />
  );
}

export function announce(sentence: string): void {
  if (region === null) return;
  // The same sentence twice must be a change, or it is not spoken again.
  region.textContent = region.textContent === sentence ? `${sentence}\u00a0` : sentence;
}
