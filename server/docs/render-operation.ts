// One operation as something to read: parameters, body, answers, examples, and a form to try it where that is safe.

import type { OpenApi, Operation, Parameter, Schema } from '../http/open-api.ts';
import { type Html, html, inline, prose } from './html.ts';
import type { Entry } from './reference-pages.ts';
import { resolveParameter, resolveSchema } from './schema-parts.ts';
import { writeExample } from './write-example.ts';
import { writeJsExample } from './write-js-example.ts';

/** Parts that a page has once for all of its operations. */
export interface SharedParts {
  /** Names of columns, whose filters stand in one sentence. */
  readonly columns: ReadonlySet<string>;
  /** Names of schemas that the page shows as tables of columns. */
  readonly isTable: boolean;
  readonly isSent: boolean;
}

/** A procedure that only reads takes both methods; its GET says what differs. */
export function renderReading(entry: Entry, document: OpenApi): Html {
  const { id, operation, path, method } = entry;
  return html`<article id="${id}" class="operation">
<h3><a href="#${id}" aria-label="Link to ${operation.summary}">${operation.summary}</a></h3>
<p class="line"><b class="method ${method}">${method}</b><code>${path}</code>${renderSecurity(operation)}</p>
<p>The same arguments, in the query; the same answers.</p>
${renderCode('JavaScript', writeJsExample(entry, document) ?? '')}
</article>`;
}

export function renderOperation(entry: Entry, document: OpenApi, shared: SharedParts, form: Html | null): Html {
  const { path, method, operation, id } = entry;
  const parameters = (operation.parameters ?? [])
    .map((parameter) => resolveParameter(parameter, document))
    .filter(({ name = '' }) => !(shared.isTable && shared.columns.has(name)));
  const body = operation.requestBody?.content['application/json']?.schema;
  return html`<article id="${id}" class="operation">
<h3><a href="#${id}" aria-label="Link to ${operation.summary}">${operation.summary}</a></h3>
<p class="line"><b class="method ${method}">${method}</b><code>${shared.isSent ? 'your address' : path}</code>${!shared.isSent && renderSecurity(operation)}</p>
${!shared.isTable && prose(operation.description)}
<div class="columns"><div>
${parameters.length > 0 && html`<h4>Parameters</h4>${renderParameters(parameters)}`}
${body !== undefined && html`<h4>Body</h4>${shared.isTable ? renderNeeded(body, document) : renderFields(body, document)}`}
<h4>Answers</h4>
<dl class="answers">${Object.entries(operation.responses).map(
    ([status, response]) =>
      html`<dt class="status s${status[0] ?? ''}">${status}</dt><dd>${inline(response.description)} ${!shared.isTable && renderAnswer(response.content?.['application/json']?.schema, document)}</dd>`,
  )}</dl>
</div><div>${renderExamples(entry, document, shared)}${form}</div></div>
</article>`;
}

function renderExamples(entry: Entry, document: OpenApi, { isSent }: SharedParts): Html {
  const { path, method, operation } = entry;
  if (isSent) {
    const payload = operation.requestBody?.content['application/json']?.example;
    return renderCode('Payload', JSON.stringify(payload ?? {}, null, 2));
  }
  const script = writeJsExample(entry, document);
  const curl = writeExample(path, method, operation, document);
  if (script === null) return renderCode('curl', curl);
  return html`${renderCode('JavaScript', script)}<details class="more"><summary>curl</summary>${renderCode('curl', curl)}</details>`;
}

export function renderCode(title: string, text: string): Html {
  return html`<figure class="example"><figcaption>${title}</figcaption><pre tabindex="0"><code>${text}</code></pre></figure>`;
}

/** Columns stand in a table above: what a new row must bring is said here. */
function renderNeeded(given: Schema, document: OpenApi): Html {
  const one = given.anyOf?.[0] ?? given;
  const schema = resolveSchema(one.items ?? one, document);
  const required = schema.required ?? [];
  return required.length === 0
    ? html`<p class="plain">Any of the columns.</p>`
    : html`<p class="plain">The columns; required: ${required.map((name, at) => html`${at > 0 && ', '}<code>${name}</code>`)}.</p>`;
}

export function renderSecurity(operation: Operation): Html {
  const needs = operation.security ?? [];
  if (needs.some((one) => 'token' in one)) return html`<span class="needs">apikey + token</span>`;
  if (needs.some((one) => 'apikey' in one)) return html`<span class="needs">apikey</span>`;
  if (needs.some((one) => 'cookie' in one))
    return html`<span class="needs">session cookie${needs.length > 1 ? ', if any' : ''}</span>`;
  return html`<span class="needs">open to all</span>`;
}

export function renderParameters(parameters: readonly Parameter[]): Html {
  return html`<table><tbody>${parameters.map(
    (
      parameter,
    ) => html`<tr><th scope="row"><code>${parameter.name}</code>${parameter.required === true && html`<i>required</i>`}${parameter.in === 'header' && html`<i>header</i>`}</th>
<td>${parameter.description !== undefined && inline(parameter.description)} ${renderType(parameter.schema ?? {})}</td></tr>`,
  )}</tbody></table>`;
}

export function renderFields(given: Schema, document: OpenApi): Html {
  if (given.anyOf !== undefined) return html`${given.anyOf.map((one) => renderChoice(one, document))}`;
  const schema = resolveSchema(given.items !== undefined ? given.items : given, document);
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0) return html`<p class="plain">${renderType(schema)}</p>`;
  return html`<table><tbody>${fields.map(
    ([
      name,
      field,
    ]) => html`<tr><th scope="row"><code>${name}</code>${schema.required?.includes(name) === true && html`<i>required</i>`}</th>
<td>${field.description !== undefined && inline(keyWords(field.description))} ${renderType(resolveSchema(field, document))}</td></tr>`,
  )}</tbody></table>`;
}

function renderChoice(one: Schema, document: OpenApi): Html {
  return html`<p class="plain">${resolveSchema(one.items ?? one, document).title ?? 'or'}</p>${renderFields(one, document)}`;
}

/** What has a name of its own stands once, at the end of the page. */
function renderAnswer(schema: Schema | undefined, document: OpenApi): Html | null {
  if (schema === undefined) return null;
  if (schema.anyOf !== undefined) return html`${schema.anyOf.map((one) => renderAnswer(one, document))}`;
  const target = schema.items ?? schema;
  const shape = nameOf(target);
  const name = resolveSchema(target, document).title ?? shape;
  if (name === undefined) return null;
  const words = schema.items === undefined ? name : `list of ${name}`;
  if (shape !== undefined) return html`<a href="#shape-${shape}">${words}</a>`;
  return html`<details class="inline"><summary>${words}</summary>${renderFields(target, document)}</details>`;
}

const nameOf = (schema: Schema): string | undefined => schema.$ref?.split('/').pop();

/** Named shapes that the answers of these operations point to. */
export function renderShapes(entries: readonly Entry[], document: OpenApi): Html | null {
  const answers = entries.flatMap(({ operation }) =>
    Object.values(operation.responses).flatMap(({ content }) => content?.['application/json']?.schema ?? []),
  );
  const named = answers.flatMap((schema) => (schema.anyOf ?? [schema]).map((one) => one.items ?? one));
  const shapes = new Map(named.map((schema) => [nameOf(schema), schema]));
  shapes.delete(undefined);
  if (shapes.size === 0) return null;
  return html`<h2 id="shapes">Shapes</h2>${[...shapes].map(
    ([name, schema]) =>
      html`<section class="operation" id="shape-${name}"><h3>${resolveSchema(schema, document).title ?? name}</h3>${renderFields(schema, document)}</section>`,
  )}`;
}

function renderType(schema: Schema): Html {
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type as string | undefined);
  const kind =
    schema.format ?? (type === 'array' && typeof schema.items?.type === 'string' ? `${schema.items.type}[]` : type);
  return html`<span class="type">${kind ?? (schema.const === undefined ? 'any' : JSON.stringify(schema.const))}${schema.enum !== undefined && html` ${schema.enum.map((value) => html`<code>${String(value)}</code> `)}`}${schema.default !== undefined && html` <em>default <code>${typeof schema.default === 'string' ? schema.default : JSON.stringify(schema.default)}</code></em>`}</span>`;
}

/** What PostgREST adds to the words of a column, in fewer. */
const keyWords = (words: string): string =>
  words
    .replace('Note:\nThis is a Primary Key.', 'Primary key.')
    .replace('Note:\nThis is a Foreign Key to', 'Points to')
    .trim();
