// Texts and lists of problems at the length in which they are kept. Half a character has no place in Postgres, nor in JSON on its way there.

import type { Problem } from './neutral.ts';

const longestTold = 300;
/** What is of no task stands nowhere else. */
const longestOfProject = 2000;

/** No more than that, and never half a character. */
export function shorten(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  const isCut = text.length > length && last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isCut ? length - 1 : length).toWellFormed();
}

export const shortened = (problems: readonly Problem[]): Problem[] =>
  problems.map((one) => ({
    ...one,
    about: shorten(one.about, one.kind === 'of_the_project' ? longestOfProject : longestTold),
  }));
