// The name of a language for those who speak it.

/** As those who speak it call it, like a name in a menu: Deutsch, Français. */
export function nameLanguage(language: string): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}
