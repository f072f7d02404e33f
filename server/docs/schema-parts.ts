// Parts of the document that others refer to.

import type { OpenApi, Parameter, Schema } from '../http/open-api.ts';

export function resolveSchema(schema: Schema, document: OpenApi): Schema {
  const name = schema.$ref?.split('/').pop();
  return name === undefined ? schema : (document.components.schemas[name] ?? {});
}

export function resolveParameter(parameter: Parameter, document: OpenApi): Parameter {
  const name = parameter.$ref?.split('/').pop();
  return name === undefined ? parameter : (document.components.parameters[name] ?? parameter);
}
