// Lists the packages of the lock file that others run: those the server needs, and those the pages are built of, which stand among the
// development dependencies because no server loads them. Pages name them: every import and every font of web/, and what those need in turn.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';

export const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

/** Paths in the lock file, such as `node_modules/react`. */
export function shippedPaths() {
  const shipped = new Set(Object.keys(packages).filter((path) => path !== '' && !packages[path].dev));
  const waiting = importedByPages().map((name) => ['', name]);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const path = findFrom(...next);
    // An optional one that this lock file has not.
    if (path === null || shipped.has(path)) continue;
    shipped.add(path);
    const { dependencies = {}, optionalDependencies = {} } = packages[path];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) waiting.push([path, name]);
  }
  return shipped;
}

/** Where a package finds another one: below itself, or below whoever is around it. */
function findFrom(path, name) {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const found = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (packages[found] !== undefined) return found;
    if (at === '') return null;
  }
}

function importedByPages() {
  const files = readdirSync(join(root, 'web'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(tsx?|css)$/.test(file) && !/\.test\.tsx?$/.test(file),
  );
  const names = new Set();
  for (const file of files) {
    const text = readFileSync(join(root, 'web', file), 'utf8').replaceAll(/import type [^;]*;/g, '');
    for (const [, name] of text.matchAll(/(?:from |import |import\(|url\()['"]((?:@[\w.-]+\/)?[\w.-]+)[^'"]*['"]/g))
      if (!name.startsWith('.')) names.add(name);
  }
  return [...names].filter((name) => packages[`node_modules/${name}`] !== undefined);
}
