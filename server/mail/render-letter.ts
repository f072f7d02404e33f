// From what a letter says to a subject, a text and an HTML page that mail programs show alike: tables for layout,
// styles inline, no pictures to load, nothing that reports back.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Letter, readLetterData } from './letter.ts';
import { writeLetter } from './letters.ts';

export interface RenderedLetter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Brand {
  readonly product: string;
  readonly siteUrl: string;
  readonly templatesDir: string | null;
}

export function renderLetter(kind: string, data: Readonly<Record<string, unknown>>, brand: Brand): RenderedLetter {
  const letter = withWholeUrl(writeLetter(kind, readLetterData(data), brand.product), brand);
  const values = valuesOf(letter, data, brand);
  return {
    subject: oneLine(fill(ownTemplate(brand, kind, 'subject.txt'), values, asIs) ?? letter.subject),
    text: fill(ownTemplate(brand, kind, 'txt'), values, asIs) ?? asText(letter, brand),
    html: fill(ownTemplate(brand, kind, 'html'), values, asHtml) ?? asPage(letter, brand),
  };
}

/** SQL does not know where the service lives: a path in a letter is one of ours. */
function withWholeUrl(letter: Letter, brand: Brand): Letter {
  const { action } = letter;
  if (!action || !/^\/(?![/\\])/.test(action.url)) return letter;
  return { ...letter, action: { ...action, url: brand.siteUrl + action.url } };
}

/** What an operator's own template may name as {{name}}. */
function valuesOf(letter: Letter, data: Readonly<Record<string, unknown>>, brand: Brand): Record<string, string> {
  const own = readLetterData(data);
  return {
    ...Object.fromEntries(Object.keys(data).map((name) => [name, own.text(name)])),
    product: brand.product,
    site_url: brand.siteUrl,
    subject: letter.subject,
    heading: letter.heading,
    body: letter.paragraphs.join('\n\n'),
    button: letter.action?.label ?? '',
    url: letter.action?.url ?? '',
    code: letter.code ?? '',
    closing: letter.closing ?? '',
  };
}

function ownTemplate(brand: Brand, kind: string, ending: string): string | null {
  if (brand.templatesDir === null || !/^[a-z_]+$/.test(kind)) return null;
  try {
    return readFileSync(join(brand.templatesDir, `${kind}.${ending}`), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function fill(
  template: string | null,
  values: Record<string, string>,
  write: (value: string) => string,
): string | null {
  return template?.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_all, name: string) => write(values[name] ?? '')) ?? null;
}

function asText(letter: Letter, brand: Brand): string {
  return [
    letter.heading,
    ...letter.paragraphs,
    ...(letter.action ? [`${letter.action.label}:\n${letter.action.url}`] : []),
    ...(letter.code ? [`Code: ${letter.code}`] : []),
    ...(letter.closing ? [letter.closing] : []),
    `-- \n${brand.product}\n${brand.siteUrl}`,
  ].join('\n\n');
}

const ink = '#1f1e1b';
const quiet = '#68645c';
const accent = '#0f6b73';

function asPage(letter: Letter, brand: Brand): string {
  const paragraph = (words: string, style = '') =>
    `<p style="margin:0 0 16px;font-size:16px;line-height:24px;${style}">${asHtml(words)}</p>`;
  const body = [
    `<h1 style="margin:0 0 16px;font-size:22px;line-height:28px">${asHtml(letter.heading)}</h1>`,
    ...letter.paragraphs.map((words) => paragraph(words)),
    ...(letter.action
      ? [
          `<p style="margin:24px 0"><a href="${asHtml(safeUrl(letter.action.url))}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:${accent};color:#ffffff;text-decoration:none;font-weight:600">${asHtml(letter.action.label)}</a></p>`,
        ]
      : []),
    ...(letter.code
      ? [
          paragraph(letter.action ? 'Or enter this code:' : 'Your code:', `color:${quiet};`),
          `<p style="margin:0 0 24px;font:600 28px/36px ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px">${asHtml(letter.code)}</p>`,
        ]
      : []),
    ...(letter.closing ? [paragraph(letter.closing, `color:${quiet};font-size:14px;line-height:20px;`)] : []),
    ...(letter.action
      ? [
          `<p style="margin:24px 0 0;color:${quiet};font-size:12px;line-height:18px;word-break:break-all">If the button does not work, open this address: ${asHtml(safeUrl(letter.action.url))}</p>`,
        ]
      : []),
  ].join('');
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<meta name="color-scheme" content="light"><title>${asHtml(letter.subject)}</title></head>` +
    `<body style="margin:0;padding:0;background:#f7f6f3;color:${ink};font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif">` +
    `<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">` +
    `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px">` +
    `<tr><td style="padding:0 0 16px;font-size:18px;font-weight:700">${asHtml(brand.product)}</td></tr>` +
    `<tr><td style="padding:32px;background:#ffffff;border-radius:12px">${body}</td></tr>` +
    `<tr><td style="padding:16px 0;color:${quiet};font-size:12px"><a href="${asHtml(safeUrl(brand.siteUrl))}" style="color:${quiet}">${asHtml(brand.siteUrl)}</a></td></tr>` +
    `</table></td></tr></table></body></html>`
  );
}

/** Only web addresses become links. */
function safeUrl(url: string): string {
  return /^https?:\/\//i.test(url) ? url : '';
}

function asIs(value: string): string {
  return value;
}

function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 200);
}

export function asHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
