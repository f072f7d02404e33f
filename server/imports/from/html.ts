// Words of an editor's HTML as markdown: paragraphs, lists, emphasis, links, code. All else of it is left as the words it holds.

const names: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

export function wordsOfHtml(html: string): string {
  if (!/<\/?[a-z][^>]*>/i.test(html)) return html;
  return html
    .replaceAll(/\r?\n/g, ' ')
    .replaceAll(/<a\b[^>]*\bhref="([^"]*)"[^>]*>(.*?)<\/a>/gi, '[$2]($1)')
    .replaceAll(/<\/?(?:strong|b)\b[^>]*>/gi, '**')
    .replaceAll(/<\/?(?:em|i)\b[^>]*>/gi, '*')
    .replaceAll(/<\/?(?:s|del)\b[^>]*>/gi, '~~')
    .replaceAll(/<\/?pre\b[^>]*>/gi, '\n```\n')
    .replaceAll(/<\/?code\b[^>]*>/gi, '`')
    .replaceAll(/<li\b[^>]*data-checked="true"[^>]*>/gi, '\n- [x] ')
    .replaceAll(/<li\b[^>]*data-checked="false"[^>]*>/gi, '\n- [ ] ')
    .replaceAll(/<li\b[^>]*>/gi, '\n- ')
    .replaceAll(/<h([1-6])\b[^>]*>/gi, (_, level: string) => `\n\n${'#'.repeat(Number(level))} `)
    .replaceAll(/<br\b[^>]*>/gi, '\n')
    .replaceAll(/<\/(?:p|div|h[1-6]|ul|ol|blockquote)>/gi, '\n\n')
    .replaceAll(/<[a-z/!][^>]*>/gi, '')
    .replaceAll(/&(?:#(\d{1,6})|(\w{2,5}));/g, (all, code: string | undefined, name: string | undefined) =>
      code === undefined ? (names[name ?? ''] ?? all) : String.fromCodePoint(Math.min(Number(code), 0x10ffff)),
    )
    .replaceAll(/(- (?:\[[ x]\] )?)\s+/g, '$1')
    .replaceAll(/[ \t]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
