// /openapi.json describes every route of /storage/v1, each of them is there, and everything is said in its own name.

import { beforeAll, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly name?: string; readonly in?: string }[];
}

let paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
const app = forSuite(startApp);
beforeAll(async () => {
  const document = (await (await app.request('/openapi.json')).json()) as { paths: typeof paths };
  paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => path.startsWith('/storage/v1')));
});

const routes = `
get post                 /bucket
delete get put           /bucket/{bucket}
post                     /bucket/{bucket}/empty
post                     /object/list/{bucket}
post                     /object/list-v2/{bucket}
get                      /object/info/{bucket}/{path}
get                      /object/info/authenticated/{bucket}/{path}
get                      /object/info/public/{bucket}/{path}
post                     /object/move
post                     /object/copy
delete                   /object/{bucket}
delete get post put      /object/{bucket}/{path}
get                      /object/authenticated/{bucket}/{path}
get                      /object/public/{bucket}/{path}
post                     /object/sign/{bucket}
delete get post          /object/sign/{bucket}/{path}
post put                 /object/upload/sign/{bucket}/{path}
get                      /render/image/authenticated/{bucket}/{path}
get                      /render/image/public/{bucket}/{path}
get                      /render/image/sign/{bucket}/{path}
post                     /upload/resumable
delete patch             /upload/resumable/{upload}
post                     /upload/resumable/sign
delete patch             /upload/resumable/sign/{upload}
get post                 /zip/{bucket}/{path}
`;

test('every route is described, and no other', () => {
  const found = Object.entries(paths).map(
    ([path, item]) => `${Object.keys(item).sort().join(' ').padEnd(24)} ${path.slice('/storage/v1'.length)}`,
  );
  expect(found.sort()).toEqual(routes.trim().split('\n').sort());
});

test('each is there, says what it is, and names what stands in its address', async () => {
  const ids = new Set<string>();
  for (const [path, item] of Object.entries(paths))
    for (const [method, { operationId, summary, tags, parameters = [] }] of Object.entries(item)) {
      expect(ids, `${operationId} twice`).not.toContain(operationId);
      ids.add(operationId);
      expect(summary).toMatch(/^[A-Z]/);
      expect(tags).toEqual(['Files']);
      const named = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
      expect(named, operationId).toEqual([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
      const address = path.replace(/\{\w+\}/g, 'none');
      const response = await app.request(address, { method: method.toUpperCase(), token: 'nobody' });
      expect(await response.text(), `${method} ${address}`).not.toContain('Nothing is served');
    }
});
