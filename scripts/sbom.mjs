// `node scripts/sbom.mjs cyclonedx` or `spdx`: what a release is made of, as npm lists it, without what only developers have. npm leaves out all
// development dependencies or none; what the pages are built of is among them, so it lists all and the others are taken out here.

import { spawnSync } from 'node:child_process';
import { root } from './install.mjs';
import { packages, shippedPaths } from './shipped.mjs';

const [, , format = 'cyclonedx'] = process.argv;
const listed = spawnSync('npm', ['sbom', '--package-lock-only', `--sbom-format=${format}`], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  shell: process.platform === 'win32',
});
if (listed.status !== 0) {
  console.error(listed.stderr);
  process.exit(1);
}
const document = JSON.parse(listed.stdout);
const shipped = shippedPaths();
console.log(JSON.stringify(format === 'spdx' ? shortenSpdx(document) : shortenCycloneDx(document), null, 2));

function shortenCycloneDx({ metadata, components, dependencies, ...rest }) {
  const named = new Set([...shipped].map((path) => `${path.split('node_modules/').at(-1)}@${packages[path].version}`));
  const own = metadata.component['bom-ref'];
  const kept = components
    .filter((one) => named.has(one['bom-ref']))
    // To npm those of the pages are for development, and so optional.
    .map(({ scope, properties, ...one }) => ({
      ...one,
      properties: properties.filter(({ name }) => name !== 'cdx:npm:package:development'),
    }));
  const known = new Set([own, ...kept.map((one) => one['bom-ref'])]);
  return {
    ...rest,
    // npm takes the name of the folder.
    metadata: { ...metadata, component: { ...metadata.component, name: own.slice(0, own.lastIndexOf('@')) } },
    components: kept,
    dependencies: dependencies
      .filter(({ ref }) => known.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => known.has(one)) })),
  };
}

function shortenSpdx({ packages: all, relationships, ...rest }) {
  const isRoot = ({ SPDXID }) => rest.documentDescribes.includes(SPDXID);
  const kept = all.filter((one) => isRoot(one) || shipped.has(one.packageFileName));
  const known = new Set(['SPDXRef-DOCUMENT', ...kept.map(({ SPDXID }) => SPDXID)]);
  return {
    ...rest,
    packages: kept,
    relationships: relationships.filter(
      ({ spdxElementId, relatedSpdxElement }) => known.has(spdxElementId) && known.has(relatedSpdxElement),
    ),
  };
}
