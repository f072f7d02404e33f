// Saving a file that the page has made.

export function saveFile(name: string, file: Blob): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken it by then, however slow the disk.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
