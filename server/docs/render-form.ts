// Forms to try reads of tables and procedures. They send nothing by themselves: try.js reads them, with the session of this browser. Nothing of an
// address fills them in, so that no link prepares a call.

import type { Schema } from '../http/open-api.ts';
import { type Html, html } from './html.ts';
import type { Entry } from './reference-pages.ts';
import { usualColumns } from './write-js-example.ts';

const operators = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'is', 'in'];

export function renderReadForm(entry: Entry, row: Schema): Html {
  const columns = Object.keys(row.properties ?? {});
  return frame(entry, 'get', [
    html`<label>Columns <input name="select" value="${usualColumns(columns).join(',')}" autocomplete="off" spellcheck="false"></label>`,
    html`<label>Filter <select name="column"><option value="">none</option>${columns.map((name) => html`<option>${name}</option>`)}</select></label>
<span class="pair"><label><span class="unseen">Operator</span><select name="operator">${operators.map((name) => html`<option>${name}</option>`)}</select></label>
<label><span class="unseen">Value</span><input name="value" placeholder="value" autocomplete="off" spellcheck="false"></label></span>`,
    html`<label>Rows <input name="limit" type="number" min="1" max="100" value="10"></label>`,
  ]);
}

export function renderCallForm(entry: Entry, onlyReads: boolean): Html {
  const schema = entry.operation.requestBody?.content['application/json']?.schema ?? {};
  const one = schema.anyOf?.[0] ?? schema;
  const fields = Object.entries(one.properties ?? {});
  return frame(
    entry,
    onlyReads ? 'call' : 'change',
    fields.map(([name, field]) => renderArgument(name, field, one.required?.includes(name) === true)),
  );
}

function renderArgument(name: string, field: Schema, isRequired: boolean): Html {
  const type = field.type === undefined ? 'json' : String(field.type);
  const choices = field.enum ?? (type === 'boolean' ? [true, false] : null);
  const label = html`<span>${name}${isRequired && html` <i>required</i>`}</span>`;
  const marks = html` name="${name}" data-type="${type}"${isRequired && html` required`}`;
  if (choices !== null)
    return html`<label>${label} <select${marks}>${!isRequired && html`<option value="">left out</option>`}${choices.map((value) => html`<option>${String(value)}</option>`)}</select></label>`;
  return html`<label>${label} <input${marks} placeholder="${field.format ?? type}" autocomplete="off" spellcheck="false"></label>`;
}

function frame(entry: Entry, kind: 'get' | 'call' | 'change', fields: readonly Html[]): Html {
  const profile = entry.operation.parameters?.find(
    ({ name, required }) => required === true && name?.endsWith('-Profile'),
  );
  return html`<details class="try" hidden><summary>Try it</summary><form data-kind="${kind}" data-path="${entry.path}" data-profile="${profile === undefined ? '' : String(profile.schema?.enum?.[0])}" autocomplete="off">
<p class="who"></p>${fields}<button type="submit">${kind === 'get' ? 'Read' : 'Call'}</button>
<div class="answer" role="status" aria-live="polite"></div></form></details>`;
}
