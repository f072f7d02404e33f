// A page of the reference: frame, contents at its side, and its operations. Made on the server, whole, without scripts from elsewhere; without
// scripts it lacks the search, the forms and the choice of light or dark.

import type { OpenApi, Schema } from '../http/open-api.ts';
import { type Html, html, inline, prose } from './html.ts';
import type { Entry, ReferencePage, Section } from './reference-pages.ts';
import { renderCallForm, renderReadForm } from './render-form.ts';
import {
  renderCode,
  renderFields,
  renderOperation,
  renderReading,
  renderShapes,
  type SharedParts,
} from './render-operation.ts';
import { topicExamples } from './topic-examples.ts';
import { rowOf } from './write-js-example.ts';

const sections: readonly Section[] = ['Tables', 'Procedures', 'Topics'];

export interface Site {
  readonly document: OpenApi;
  readonly pages: readonly ReferencePage[];
}

export function renderIndex(site: Site): string {
  const { document, pages } = site;
  const main = html`<section class="intro">
<h1>${document.info.title} API</h1>
${prose(document.info.description)}
<dl class="facts"><dt>Address</dt><dd><code>${document.servers[0]?.url ?? ''}</code></dd>
<dt>Keys</dt><dd>${inline('`apikey` and `Authorization: Bearer …` on every request to `/rest/v1` and `/auth/v1`')}</dd>
<dt>Types</dt><dd><a href="/docs/database.ts">database.ts</a> for ${inline('`createClient<Database>()`')}, also by ${inline('`npx kanbase types`')}</dd></dl>
</section>
${sections.map((section) => {
  const listed = pages.filter((page) => page.section === section);
  return (
    listed.length > 0 &&
    html`<section><h2 id="${section.toLowerCase()}">${section}</h2>
<ul class="cards">${listed.map((page) => html`<li><a href="${page.address}">${page.title}</a> <span>${inline(firstSentence(page.description))}</span></li>`)}</ul></section>`
  );
})}`;
  return frame(site, `${document.info.title} API reference`, null, main);
}

export function renderReferencePage(site: Site, page: ReferencePage): string {
  const { document } = site;
  const [first] = page.entries;
  const isTable = page.section === 'Tables';
  const row = isTable && first !== undefined ? rowOf(first, document) : null;
  const shared: SharedParts = {
    isTable,
    isSent: page.isSent === true,
    columns: new Set(Object.keys(row?.properties ?? {})),
  };
  const example = topicExamples[page.title];
  const main = html`<section class="intro">
<p class="kind">${page.section}</p>
<h1>${page.title}</h1>
${prose(page.description)}
${example !== undefined && renderCode('JavaScript', example)}
${row !== null && renderColumns(row, document)}
</section>
${page.entries.map((entry) =>
  isReadingOfBoth(entry, page)
    ? renderReading(entry, document)
    : renderOperation(entry, document, shared, formFor(entry, page, row)),
)}${!isTable && renderShapes(page.entries, document)}`;
  return frame(site, `${page.title} · ${document.info.title} API`, page, main);
}

const isReadingOfBoth = ({ path, method }: Entry, { section, entries }: ReferencePage): boolean =>
  section === 'Procedures' && method === 'get' && entries.some((one) => one.path === path && one.method === 'post');

/** Reads of tables, and procedures; a procedure that reads has both methods, and one form. */
function formFor(entry: Entry, page: ReferencePage, row: Schema | null): Html | null {
  if (row !== null) return entry.method === 'get' ? renderReadForm(entry, row) : null;
  if (page.section !== 'Procedures' || entry.method !== 'post') return null;
  const onlyReads = page.entries.some(({ path, method }) => path === entry.path && method === 'get');
  return renderCallForm(entry, onlyReads);
}

function renderColumns(row: Schema, document: OpenApi): Html {
  return html`<h2 id="columns">Columns</h2>${renderFields({ ...row, required: [] }, document)}
<p>Every column filters: ${inline("`.eq('column', value)`")} with supabase-js, ${inline('`?column=eq.value`')} over HTTP.</p>`;
}

export function renderMissing(site: Site): string {
  return frame(
    site,
    'Not found',
    null,
    html`<section class="intro"><h1>Not found</h1><p>There is no such page. <a href="/docs">All pages</a> are listed, and the search finds operations by name.</p></section>`,
  );
}

function frame(site: Site, title: string, current: ReferencePage | null, main: Html): string {
  const name = site.document.info.title;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/docs/reference.css">
<script src="/docs/reference.js" defer></script>
<script src="/docs/try.js" defer></script>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header class="bar">
<a class="brand" href="/docs">${name} <span>API reference</span></a>
<div class="search" role="search"><label class="unseen" for="search">Search the reference</label><input id="search" type="search" placeholder="Search  /" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list">
<ul id="found" role="listbox" aria-label="Results" hidden></ul></div>
<nav class="links" aria-label="Formats"><a href="/openapi.json">OpenAPI 3.1</a><button id="theme" type="button" hidden>Theme</button></nav>
</header>
<div class="frame">
<nav class="contents" aria-label="Pages"><details id="contents" open><summary>Pages</summary>
${sections.map((section) => renderGroup(site, section, current))}
</details></nav>
<main id="content">
${main}
</main>
</div>
</body>
</html>
`;
  return page.text;
}

function renderGroup({ pages }: Site, section: Section, current: ReferencePage | null): Html | null {
  const listed = pages.filter((page) => page.section === section);
  if (listed.length === 0) return null;
  return html`<h2>${section}</h2><ul>${listed.map(
    (page) =>
      html`<li><a href="${page.address}"${page === current && here}>${page.title}</a>${
        page === current &&
        !page.isSent &&
        page.entries.length > 1 &&
        html`<ul>${page.entries.map(({ id, method, operation }) => html`<li><a href="#${id}"><b class="method ${method}">${method}</b><span>${operation.summary}</span></a></li>`)}</ul>`
      }</li>`,
  )}</ul>`;
}

const here = html` aria-current="page"`;
const firstSentence = (text = ''): string =>
  (/^[^\n]*?[.:;](?=\s|$)/.exec(text.trim())?.[0] ?? text).replace(/[:;]$/, '.');
