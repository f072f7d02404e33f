// Every property by its name in a view: an own one of each task, or a field of a project.

import { isFieldProperty } from '../../contract/field-properties.ts';
import type { OwnProperty, Property as PropertyName } from '../../contract/views.ts';
import { fieldNamed } from './field.ts';
import { own } from './own.ts';
import type { Property } from './property.ts';

export function propertyNamed(name: PropertyName): Property {
  return isFieldProperty(name) ? fieldNamed(name) : own[name as OwnProperty];
}
