// Types of pseudo-language.mjs.

export function writePseudoLanguage(folder: string): void;

export function pseudoText(message: string): string;
