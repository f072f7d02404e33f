// A function call as a source of rows: named arguments from the URL, from a form, or taken out of JSON by Postgres;
// or the whole body as the only one.

import type { Parameter } from '../catalog/catalog.ts';
import type { CallPlan } from '../plan/plan.ts';
import { type Binder, column, ident, path } from './fragments.ts';

const CALL = '"_kb_call"';
const ARGUMENTS = '"_kb_args"';

/** As a select of its own, for a CTE. */
export function writeCall(plan: CallPlan, binder: Binder): string {
  const composite = plan.routine.returnsComposite;
  const names = composite ? plan.returning.map((name) => column(CALL, name)).join(', ') : `${CALL}."pgrst_scalar"`;
  return `select ${names} from ${writeCallSource(plan, binder, CALL)}`;
}

/** As an item of `from`. */
export function writeCallSource(plan: CallPlan, binder: Binder, alias: string): string {
  const { arguments: given, parameters } = plan;
  const [only] = parameters;
  if (only !== undefined && only.name === '') return call(plan, wholeBody(plan, only, binder), alias);
  if (parameters.length === 0) return call(plan, '', alias);
  if (given.kind === 'direct') {
    const list = parameters.map((parameter) => {
      const value = given.values.get(parameter.name);
      const bound = value === undefined ? 'null' : binder.bind(typeof value === 'string' ? value : arrayLiteral(value));
      return `${named(parameter)} := ${bound}::${parameter.openType}`;
    });
    return call(plan, list.join(', '), alias);
  }
  const isObject = given.kind === 'json' && given.isObject;
  const typed = parameters.map(({ name, openType }) => `${ident(name)} ${openType}`).join(', ');
  const list = parameters.map((parameter) => `${named(parameter)} := ${column(ARGUMENTS, parameter.name)}`).join(', ');
  const body = `${binder.bind(given.body)}::json`;
  const source = `${isObject ? 'json_to_record' : 'json_to_recordset'}(${body}) as ${ARGUMENTS} (${typed})`;
  return `${source}, lateral ${call(plan, list, alias)}`;
}

const named = (parameter: Parameter): string => `${parameter.variadic ? 'variadic ' : ''}${ident(parameter.name)}`;

function call({ routine }: CallPlan, list: string, alias: string): string {
  const text = `${path(routine)}(${list})`;
  return routine.returnsComposite ? `${text} as ${alias}` : `(select ${text} as "pgrst_scalar") as ${alias}`;
}

function wholeBody({ arguments: given }: CallPlan, parameter: Parameter, binder: Binder): string {
  if (given.kind === 'direct')
    return `${binder.bind(JSON.stringify(Object.fromEntries(given.values)))}::${parameter.type}`;
  // Bytes go in binary form, which for jsonb is another one than the text.
  const type = parameter.type === 'jsonb' ? 'json::jsonb' : parameter.type;
  return `${binder.bind(given.body)}::${type}`;
}

const arrayLiteral = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`;
