// Writes the package.json of the package: it asks for what the bundled server leaves outside and all that this needs, each in the very
// version of package-lock.json. `--restore` puts the checkout's own back, `--print` prints the package's.

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { external } from './build.mjs';
import { root } from './install.mjs';

const path = join(root, 'package.json');
const aside = join(root, '.package.json.unpacked');

/** Names to versions: packages that the bundle imports, with what these need in turn. */
function pinned(own, packages) {
  const [needed, optional] = [{}, {}];
  const visit = (name, isOptional) => {
    const entry = packages[`node_modules/${name}`];
    if (entry === undefined || name in needed || (isOptional && name in optional)) return;
    (isOptional ? optional : needed)[name] = entry.version;
    for (const below of Object.keys(entry.dependencies ?? {})) visit(below, isOptional);
    for (const below of Object.keys(entry.optionalDependencies ?? {})) visit(below, true);
  };
  const isOutside = (name) => external.some((pattern) => pattern.test(name));
  for (const name of Object.keys(own.dependencies)) if (isOutside(name)) visit(name, false);
  for (const name of Object.keys(own.optionalDependencies)) visit(name, true);
  for (const name of Object.keys(needed)) delete optional[name];
  const { devDependencies: _dev, scripts: _scripts, ...rest } = own;
  return { ...rest, dependencies: needed, optionalDependencies: optional };
}

if (existsSync(aside)) renameSync(aside, path);
if (!process.argv.includes('--restore')) {
  const own = readFileSync(path, 'utf8');
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const text = `${JSON.stringify(pinned(JSON.parse(own), packages), null, 2)}\n`;
  if (process.argv.includes('--print')) process.stdout.write(text);
  else {
    writeFileSync(aside, own);
    writeFileSync(path, text);
  }
}
