// The reference page: the OpenAPI document as something to read. Made on the server, whole, without scripts from
// elsewhere; `reference.js` only adds search, copying and the choice of light or dark.

import { METHODS, type Method, type OpenApi, type Operation, type Parameter, type Schema } from '../http/open-api.ts';
import { type Html, html, inline, prose } from './html.ts';
import { writeExample } from './write-example.ts';

interface Entry {
  readonly path: string;
  readonly method: Method;
  readonly operation: Operation;
  readonly id: string;
}

export function renderReference(document: OpenApi): string {
  const entries = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method): Entry[] => {
      const operation = item[method];
      return operation === undefined ? [] : [{ path, method, operation, id: operation.operationId }];
    }),
  );
  const groups = document.tags
    .map((tag) => ({ tag, entries: entries.filter((entry) => entry.operation.tags.includes(tag.name)) }))
    .filter((group) => group.entries.length > 0);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${document.info.title} API reference</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/docs/reference.css">
<script src="/docs/reference.js" defer></script>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header class="bar">
<a class="brand" href="/docs">${document.info.title} <span>API reference</span></a>
<label class="search"><span class="unseen">Search operations</span><input id="search" type="search" placeholder="Search  /" autocomplete="off" spellcheck="false"></label>
<nav class="links" aria-label="Formats"><a href="/openapi.json">OpenAPI 3.1</a><button id="theme" type="button" hidden>Theme</button></nav>
</header>
<div class="frame">
<nav class="contents" aria-label="Operations">
${groups.map(
  ({ tag, entries: listed }) => html`<details class="group" open><summary>${tag.name}</summary><ul>
${listed.map((entry) => html`<li data-words="${words(entry)}"><a href="#${entry.id}"><b class="method ${entry.method}">${entry.method}</b><span>${shortPath(entry.path)}</span></a></li>`)}
</ul></details>`,
)}
</nav>
<main id="content">
<section class="intro">
<h1>${document.info.title} API</h1>
${prose(document.info.description)}
<dl class="facts"><dt>Address</dt><dd><code>${document.servers[0]?.url ?? ''}</code></dd>
<dt>Keys</dt><dd>${inline('`apikey` and `Authorization: Bearer …` on every request to `/rest/v1` and `/auth/v1`')}</dd></dl>
</section>
${groups.map(
  ({ tag, entries: listed }) => html`<section class="door"><h2 id="${slug(tag.name)}">${tag.name}</h2>
${prose(tag.description)}
${listed.map((entry) => renderOperation(entry, document))}</section>`,
)}
</main>
</div>
</body>
</html>
`;
  return page.text;
}

const slug = (name: string): string => `group-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
const shortPath = (path: string): string => path.replace(/^\/(rest|auth)\/v1(?=\/)/, '');
const words = ({ path, method, operation }: Entry): string =>
  `${method} ${path} ${operation.summary} ${operation.tags.join(' ')}`.toLowerCase();

function renderOperation({ path, method, operation, id }: Entry, document: OpenApi): Html {
  const parameters = (operation.parameters ?? []).map((parameter) => resolveParameter(parameter, document));
  const body = operation.requestBody?.content['application/json']?.schema;
  return html`<article id="${id}" class="operation">
<h3><a href="#${id}" aria-label="Link to ${operation.summary}">${operation.summary}</a></h3>
<p class="line"><b class="method ${method}">${method}</b><code>${path}</code>${renderSecurity(operation)}</p>
${prose(operation.description)}
<div class="columns"><div>
${parameters.length > 0 && html`<h4>Parameters</h4>${parameters.length > 12 ? folded(parameters, document) : renderParameters(parameters)}`}
${body !== undefined && html`<h4>Body</h4>${renderFields(body, document)}`}
<h4>Answers</h4>
<dl class="answers">${Object.entries(operation.responses).map(
    ([status, response]) =>
      html`<dt class="status s${status[0] ?? ''}">${status}</dt><dd>${inline(response.description)} ${renderAnswer(response.content?.['application/json']?.schema, document)}</dd>`,
  )}</dl>
</div><div><figure class="example"><figcaption>Example</figcaption><pre><code>${writeExample(path, method, operation, document)}</code></pre></figure></div></div>
</article>`;
}

function renderSecurity(operation: Operation): Html {
  const needs = operation.security ?? [];
  if (needs.some((one) => 'token' in one)) return html`<span class="needs">apikey + token</span>`;
  if (needs.some((one) => 'apikey' in one)) return html`<span class="needs">apikey</span>`;
  if (needs.some((one) => 'cookie' in one))
    return html`<span class="needs">session cookie${needs.length > 1 ? ', if any' : ''}</span>`;
  return html`<span class="needs">open to all</span>`;
}

function resolveParameter(parameter: Parameter, document: OpenApi): Parameter {
  const name = parameter.$ref?.split('/').pop();
  return name === undefined ? parameter : (document.components.parameters[name] ?? parameter);
}

function renderParameters(parameters: readonly Parameter[]): Html {
  return html`<table><tbody>${parameters.map(
    (
      parameter,
    ) => html`<tr><th scope="row"><code>${parameter.name}</code>${parameter.required === true && html`<i>required</i>`}${parameter.in === 'header' && html`<i>header</i>`}</th>
<td>${parameter.description !== undefined && inline(parameter.description)} ${renderType(parameter.schema ?? {})}</td></tr>`,
  )}</tbody></table>`;
}

/** A table's many filters are one fold; what steers the answer stays in sight. */
function folded(parameters: readonly Parameter[], document: OpenApi): Html {
  const shared = new Set(Object.values(document.components.parameters).map((parameter) => parameter.name));
  const filters = parameters.filter((parameter) => !shared.has(parameter.name));
  return html`${renderParameters(parameters.filter((parameter) => shared.has(parameter.name)))}
<details><summary>Filters by column (${filters.length})</summary>${renderParameters(filters)}</details>`;
}

function resolve(schema: Schema, document: OpenApi): Schema {
  const name = schema.$ref?.split('/').pop();
  return name === undefined ? schema : (document.components.schemas[name] ?? {});
}

function renderFields(given: Schema, document: OpenApi): Html {
  if (given.anyOf !== undefined) return html`${given.anyOf.map((one) => renderChoice(one, document))}`;
  const schema = resolve(given.items !== undefined ? given.items : given, document);
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0) return html`<p class="plain">${renderType(schema)}</p>`;
  return html`<table><tbody>${fields.map(
    ([
      name,
      field,
    ]) => html`<tr><th scope="row"><code>${name}</code>${schema.required?.includes(name) === true && html`<i>required</i>`}</th>
<td>${field.description !== undefined && inline(field.description)} ${renderType(resolve(field, document))}</td></tr>`,
  )}</tbody></table>`;
}

function renderChoice(one: Schema, document: OpenApi): Html {
  return html`<p class="plain">${resolve(one.items ?? one, document).title ?? 'or'}</p>${renderFields(one, document)}`;
}

function renderAnswer(schema: Schema | undefined, document: OpenApi): Html | null {
  if (schema === undefined) return null;
  if (schema.anyOf !== undefined) return html`${schema.anyOf.map((one) => renderAnswer(one, document))}`;
  const target = schema.items ?? schema;
  const name = resolve(target, document).title ?? target.$ref?.split('/').pop();
  if (name === undefined) return null;
  return html`<details class="inline"><summary>${schema.items === undefined ? name : `list of ${name}`}</summary>${renderFields(target, document)}</details>`;
}

function renderType(schema: Schema): Html {
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type as string | undefined);
  const kind =
    schema.format ?? (type === 'array' && typeof schema.items?.type === 'string' ? `${schema.items.type}[]` : type);
  return html`<span class="type">${kind ?? (schema.const === undefined ? 'any' : JSON.stringify(schema.const))}${schema.enum !== undefined && html` ${schema.enum.map((value) => html`<code>${String(value)}</code> `)}`}${schema.default !== undefined && html` <em>default <code>${typeof schema.default === 'string' ? schema.default : JSON.stringify(schema.default)}</code></em>`}</span>`;
}
