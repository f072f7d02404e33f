// From what a mail says to a subject, a text and an HTML page that mail programs show alike: tables for layout,
// styles inline, pictures only as they come along with it, nothing to load, nothing that reports back.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Texts } from '../texts/texts.ts';
import { asHtml } from './as-html.ts';
import { fillHtml, fillText, type TemplateValues } from './fill-template.ts';
import { type MailContent, type MailSection, readMailData } from './mail-content.ts';
import { mailTexts, writeMail } from './mail-templates.ts';

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Beside what every mail has. */
  readonly thread: string | null;
  readonly unsubscribe: string | null;
}

export interface Brand {
  readonly product: string;
  readonly siteUrl: string;
  readonly templatesDir: string | null;
}

export interface ShownPicture {
  /** `cid:…` of a part of the same mail, or the bytes themselves. */
  readonly src: string;
  readonly name: string;
  readonly width: number;
}

/** By the id of the attachment. */
export type ShownPictures = ReadonlyMap<string, ShownPicture>;

export function renderMail(
  kind: string,
  data: Readonly<Record<string, unknown>>,
  brand: Brand,
  pictures: ShownPictures = new Map(),
): RenderedMail {
  const mail = withWholeUrl(writeMail(kind, readMailData(data), brand.product), brand);
  const texts = mailTexts(readMailData(data));
  const values = valuesOf(mail, data, brand);
  return {
    subject: oneLine(fillText(ownTemplate(brand, kind, 'subject.txt'), values) ?? mail.subject),
    text: fillText(ownTemplate(brand, kind, 'txt'), values) ?? asText(mail, brand, texts),
    html: fillHtml(ownTemplate(brand, kind, 'html'), values) ?? asPage(mail, brand, pictures, texts),
    thread: mail.thread || null,
    unsubscribe: mail.unsubscribe || null,
  };
}

/** SQL does not know where the service lives: a path in a mail is one of ours. */
function withWholeUrl(mail: MailContent, brand: Brand): MailContent {
  const whole = (url: string): string => (/^\/(?![/\\])/.test(url) ? brand.siteUrl + url : url);
  const { action, sections } = mail;
  return {
    ...mail,
    ...(action ? { action: { ...action, url: whole(action.url) } } : {}),
    ...(sections
      ? { sections: sections.map((one) => (one.url === undefined ? one : { ...one, url: whole(one.url) })) }
      : {}),
  };
}

/** What an operator's own template may name. */
function valuesOf(mail: MailContent, data: Readonly<Record<string, unknown>>, brand: Brand): TemplateValues {
  const own = readMailData(data);
  const about = own.object('data');
  const values: Record<string, string> = {
    ...Object.fromEntries(Object.keys(data).map((name) => [name, own.text(name)])),
    product: brand.product,
    site_url: brand.siteUrl,
    subject: mail.subject,
    heading: mail.heading,
    body: [...mail.paragraphs, ...(mail.sections ?? []).map(sectionAsText)].join('\n\n'),
    button: mail.action?.label ?? '',
    url: mail.action?.url ?? '',
    code: mail.code ?? '',
    closing: mail.closing ?? '',
  };
  return { text: (name) => values[name] ?? '', about: (name) => about?.text(name) ?? '' };
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

function asText(mail: MailContent, brand: Brand, { t }: Texts): string {
  return [
    mail.heading,
    ...mail.paragraphs,
    ...(mail.sections ?? []).map(sectionAsText),
    ...(mail.action ? [`${mail.action.label}:\n${mail.action.url}`] : []),
    ...(mail.code ? [`${t('mail.codeLine')}: ${mail.code}`] : []),
    ...(mail.closing ? [mail.closing] : []),
    `-- \n${brand.product}\n${brand.siteUrl}`,
  ].join('\n\n');
}

function sectionAsText({ title, url, lines }: MailSection): string {
  const quoted = lines.flatMap(({ words, quote }) => [words, ...(quote === undefined ? [] : [`> ${quote}`])]);
  return [...(title === undefined ? [] : [title]), ...quoted, ...(url === undefined ? [] : [url])].join('\n');
}

/** Mail programs that know of a dark mode follow it; all others show the inline colours. */
const darkStyle =
  '@media (prefers-color-scheme:dark){.paper{background:#141516!important}.sheet{background:#1d1f20!important}' +
  '.ink{color:#ecebe7!important}.quiet{color:#b9b6ae!important}.link{color:#5cc2cb!important}.quote{border-color:#3a3d3f!important}}';

const ink = '#1f1e1b';
const quiet = '#68645c';
const accent = '#0f6b73';

function asPage(mail: MailContent, brand: Brand, pictures: ShownPictures, { t, language }: Texts): string {
  const paragraph = (words: string, style = '') =>
    `<p class="${style.includes(quiet) ? 'quiet' : 'ink'}" style="margin:0 0 16px;font-size:16px;line-height:24px;${style}">${asHtml(words)}</p>`;
  const body = [
    `<h1 class="ink" style="margin:0 0 16px;font-size:22px;line-height:28px">${asHtml(mail.heading)}</h1>`,
    ...mail.paragraphs.map((words) => paragraph(words)),
    ...(mail.sections ?? []).map((section) => sectionAsHtml(section, pictures)),
    ...(mail.action
      ? [
          `<p style="margin:24px 0"><a href="${asHtml(safeUrl(mail.action.url))}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:${accent};color:#ffffff;text-decoration:none;font-weight:600">${asHtml(mail.action.label)}</a></p>`,
        ]
      : []),
    ...(mail.code
      ? [
          paragraph(t(mail.action ? 'mail.orCode' : 'mail.yourCode'), `color:${quiet};`),
          `<p class="ink" style="margin:0 0 24px;font:600 28px/36px ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px">${asHtml(mail.code)}</p>`,
        ]
      : []),
    ...(mail.closing ? [paragraph(mail.closing, `color:${quiet};font-size:14px;line-height:20px;`)] : []),
    ...(mail.action
      ? [
          `<p class="quiet" style="margin:24px 0 0;color:${quiet};font-size:12px;line-height:18px;word-break:break-all">${asHtml(t('mail.buttonFails'))} ${asHtml(safeUrl(mail.action.url))}</p>`,
        ]
      : []),
  ].join('');
  return (
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${asHtml(mail.subject)}</title><style>${darkStyle}</style></head>` +
    `<body class="paper" style="margin:0;padding:0;background:#f7f6f3;color:${ink};font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif">` +
    `<table class="paper" role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">` +
    `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px">` +
    `<tr><td class="ink" style="padding:0 0 16px;font-size:18px;font-weight:700">${asHtml(brand.product)}</td></tr>` +
    `<tr><td class="sheet" style="padding:32px;background:#ffffff;border-radius:12px">${body}</td></tr>` +
    `<tr><td style="padding:16px 0;color:${quiet};font-size:12px"><a class="quiet" href="${asHtml(safeUrl(brand.siteUrl))}" style="color:${quiet}">${asHtml(brand.siteUrl)}</a></td></tr>` +
    `</table></td></tr></table></body></html>`
  );
}

function sectionAsHtml({ title, url, lines }: MailSection, pictures: ShownPictures): string {
  const head =
    title === undefined
      ? ''
      : `<h2 class="ink" style="margin:24px 0 8px;font-size:16px;line-height:24px">${
          url === undefined
            ? asHtml(title)
            : `<a class="link" href="${asHtml(safeUrl(url))}" style="color:${accent}">${asHtml(title)}</a>`
        }</h2>`;
  const body = lines.map(
    ({ words, quote, pictures: shown = [] }) =>
      `<p class="ink" style="margin:0 0 8px;font-size:16px;line-height:24px">${asHtml(words)}</p>` +
      (quote === undefined
        ? ''
        : `<blockquote class="quiet quote" style="margin:0 0 16px;padding:0 0 0 12px;border-left:3px solid #d8d4cb;color:${quiet};font-size:15px;line-height:22px">${asHtml(quote)}</blockquote>`) +
      shown.map((id) => pictureAsHtml(pictures.get(id))).join(''),
  );
  return head + body.join('');
}

function pictureAsHtml(picture: ShownPicture | undefined): string {
  if (picture === undefined) return '';
  const { src, name, width } = picture;
  return `<p style="margin:0 0 16px"><img src="${asHtml(src)}" alt="${asHtml(name)}" width="${width}" style="display:block;width:${width}px;max-width:100%;height:auto;border:0;border-radius:8px"></p>`;
}

/** Only web addresses become links. */
function safeUrl(url: string): string {
  return /^https?:\/\//i.test(url) ? url : '';
}

function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 200);
}
