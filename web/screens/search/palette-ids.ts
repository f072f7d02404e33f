// Ids of the lines for a new task in the palette.

export const createId = 'create';
export const lineOfferId = (id: string): string => `part ${id}`;
