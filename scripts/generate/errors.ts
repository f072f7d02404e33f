// docs/errors.md and the list of codes that web and server share, from the catalogs of the rooms.

import { catalogs } from '../../server/catalogs.ts';

export function errorsMarkdown(): string {
  const lines = [
    '# Errors',
    '',
    'Every code a caller can meet, with its HTTP status. Written by `npm run generate` from `server/*/errors.ts`.',
  ];
  for (const { title, dialect, catalog } of catalogs) {
    lines.push('', `## ${title}`, '', `On the wire: ${dialect}`, '', '| code | when | what to do |', '|---|---|---|');
    for (const [code, { status, when, next }] of Object.entries(catalog).sort(([a], [b]) => a.localeCompare(b, 'en')))
      lines.push(`| \`${code}\` ${status} | ${cell(when)} | ${cell(next)} |`);
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

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
}
