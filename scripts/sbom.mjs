// `node scripts/sbom.mjs cyclonedx` or `spdx`: what a release is made of, as npm lists it, without what only developers have. npm leaves out all
// development dependencies or none; what the pages are built of is among them, so it lists all and the others are taken out here.

import { spawnSync } from 'node:child_process';
import { root } from './install.mjs';
import { shippedPaths } from './shipped.mjs';

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

function shortenCycloneDx({ components, dependencies, ...rest }) {
  const property = ({ properties = [] }, name) => properties.find((one) => one.name === `cdx:npm:package:${name}`)?.value;
  const kept = components
    .filter((one) => shipped.has(property(one, 'path')))
    // To npm those of the pages are for development, and so optional.
    .map(({ scope, properties, ...one }) => ({
      ...one,
      properties: properties.filter(({ name }) => name !== 'cdx:npm:package:development'),
    }));
  const known = new Set([rest.metadata.component['bom-ref'], ...kept.map((one) => one['bom-ref'])]);
  return {
    ...rest,
    components: kept,
    dependencies: dependencies
      .filter(({ ref }) => known.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => known.has(one)) })),
  };
}

function shortenSpdx({ packages, relationships, ...rest }) {
  const isRoot = ({ SPDXID }) => rest.documentDescribes.includes(SPDXID);
  const kept = packages.filter((one) => isRoot(one) || shipped.has(one.packageFileName));
  const known = new Set(['SPDXRef-DOCUMENT', ...kept.map(({ SPDXID }) => SPDXID)]);
  return {
    ...rest,
    packages: kept,
    relationships: relationships.filter(
      ({ spdxElementId, relatedSpdxElement }) => known.has(spdxElementId) && known.has(relatedSpdxElement),
    ),
  };
}
