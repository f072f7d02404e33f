// A card on the board: a task in one of the places it stands in.

export function cardId(cellId: string, taskId: string): string {
  return `${cellId} ${taskId}`;
}

export function cardIn(card: string): { readonly cellId: string; readonly taskId: string } {
  const at = card.lastIndexOf(' ');
  return { cellId: card.slice(0, at), taskId: card.slice(at + 1) };
}
