// Tells TypeScript which classes each sheet of the app has and which messages there are, so that one that is not there is an error of
// `npm run check`. The declarations lie in .cache/web-types, where tsconfig.json looks for them; all are as the build itself makes them.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { preprocessCSS, resolveConfig } from 'vite';
import { root } from './install.mjs';

const target = join(root, '.cache/web-types');

const sheets = readdirSync(join(root, 'web'), { recursive: true })
  .map(String)
  .filter((file) => file.endsWith('.module.css'));

export async function writeWebTypes() {
  const config = await resolveConfig({ configFile: join(root, 'vite.config.ts'), logLevel: 'error' }, 'build');
  rmSync(target, { recursive: true, force: true });
  for (const sheet of sheets) {
    const file = join(root, 'web', sheet);
    const { modules = {} } = await preprocessCSS(readFileSync(file, 'utf8'), file, config);
    const names = Object.keys(modules).map((name) => `  readonly ${JSON.stringify(name)}: string;\n`);
    const declaration = join(target, `${sheet}.d.ts`);
    mkdirSync(dirname(declaration), { recursive: true });
    writeFileSync(declaration, `declare const styles: {\n${names.join('')}};\nexport default styles;\n`);
  }
  const { api } = config.plugins.find(({ name }) => name === 'messages');
  // Beside web/strings and server/texts.
  for (const [folder, side] of Object.entries({ strings: 'app', texts: 'server' })) {
    mkdirSync(join(target, folder), { recursive: true });
    writeFileSync(join(target, folder, 'keys.ts'), api.keys(side));
  }
}
