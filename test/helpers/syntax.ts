// Sources as the parser that bundles the app reads them, for tests that look at their shape.

import { readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';

export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [part: string]: unknown;
}

const functions = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

export function parse(file: string, text = readFileSync(file, 'utf8')): Node {
  return parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file) as unknown as Node;
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

export const isFunction = ({ type }: Node): boolean => functions.includes(type);

/** The nodes right below one, with the name of their part. */
export const partsOf = (node: Node): [part: string, Node][] =>
  Object.entries(node).flatMap(([part, value]) =>
    (Array.isArray(value) ? value : [value]).filter(isNode).map((one): [string, Node] => [part, one]),
  );

/** What a declaration or a property calls it. */
export function nameOf(node: Node): string | undefined {
  const named = isNode(node.id) ? node.id : isNode(node.key) ? node.key : null;
  return typeof named?.name === 'string' ? named.name : undefined;
}
