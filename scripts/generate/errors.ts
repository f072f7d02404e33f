// docs/errors.md and the list of codes that web and server share, from the catalogs of the rooms.

import { catalogs } from '../../server/catalogs.ts';

export function errorsMarkdown(): string {
  const lines = [
    '# Errors',
    '',
    'Every code a caller can meet: HTTP status, cause, *what to do*. Written by `npm run generate` from `server/*/errors.ts`.',
  ];
  for (const { title, dialect, catalog } of catalogs) {
    lines.push('', `## ${title}`, '', `On the wire: ${dialect}`, '');
    for (const [code, { status, when, next }] of Object.entries(catalog).sort(([a], [b]) => a.localeCompare(b, 'en')))
      lines.push(`- \`${code}\` ${status}: ${plain(when)} *${plain(next)}*`);
  }
  return `${lines.join('\n')}\n`;
}

export function errorCodes(): string {
  const codes = [...new Set(catalogs.flatMap(({ catalog }) => Object.keys(catalog)))].sort();
  return [
    '// Every error code of the catalogs. Written by `npm run generate`.',
    '',
    'export const errorCodes = [',
    ...codes.map((code) => `  '${code}',`),
    '] as const;',
    '',
    'export type ErrorCode = (typeof errorCodes)[number];',
    '',
  ].join('\n');
}

/** As text of Markdown, in one line. */
function plain(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('*', '\\*').replaceAll('\n', ' ');
}
