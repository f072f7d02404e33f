// Language of a reader: stored in a cookie, so that the server can answer in it too, and in the account, which decides on every device.
// Without a choice the browser's languages decide.

/** A folder with texts is a language; English, whose texts are complete, is the first. */
export const languages: readonly string[] = [
  ...new Set(['en', ...Object.keys(import.meta.glob('./*/app.json')).map((path) => path.split('/')[1] ?? '')]),
];

const place = 'kanbase-language';

const isLanguage = (value: unknown): value is string => languages.includes(value as string);
const spokenIn = (tag: string) => tag.split('-', 1)[0];

function chosenLanguage(page: { readonly cookie: string }): string | null {
  const value = new RegExp(`(?:^|; )${place}=(\\w+)`).exec(page.cookie)?.[1];
  return isLanguage(value) ? value : null;
}

/** The language this page comes in. */
export function languageHere(): string {
  return chosenLanguage(document) ?? navigator.languages.map(spokenIn).find(isLanguage) ?? 'en';
}

/** What is loaded is tried in this order; a region of the browser's counts where it speaks the language. */
export function wantedLanguages(): readonly string[] {
  const language = languageHere();
  return [...navigator.languages.filter((tag) => spokenIn(tag) === language), language];
}

/** Texts that are drawn do not change by themselves: the page is loaded again in the other language. */
export function switchLanguage(language: string, page: { cookie: string } = document): void {
  const before = languageHere();
  page.cookie = `${place}=${language}; Path=/; Max-Age=31536000; SameSite=Lax`;
  // Where cookies are refused it would be the same page again, for ever.
  if (before !== language && chosenLanguage(page) === language) location.reload();
}

/** The account's own language, as its session says; an account that never chose leaves it to the browser. */
export function followAccount(language: unknown): void {
  if (isLanguage(language)) switchLanguage(language);
}
