// Part of `npm run check`: no regular expression over people's text takes more than linear time, but for those with a reason (allowed-patterns.mjs).

import { allowedPatterns } from './allowed-patterns.mjs';
import { root } from './install.mjs';
import { faultOf, patternsBelow } from './nonlinear-patterns.mjs';

const used = new Set();
const wrong = patternsBelow(root, ['server', 'web', 'contract']).flatMap((pattern) => {
  const { file, line, source, made } = pattern;
  const fault = faultOf(pattern);
  if (fault === null) return [];
  const kept = Object.keys(allowedPatterns[file] ?? {}).find((one) => (made ? source.startsWith(one) : source === one));
  if (kept !== undefined) used.add(`${file}: ${kept}`);
  return kept === undefined ? [`${file}:${line}: ${made ? source : `/${source}/`} is ${fault}`] : [];
});
const gone = Object.entries(allowedPatterns).flatMap(([file, patterns]) =>
  Object.keys(patterns)
    .map((one) => `${file}: ${one}`)
    .filter((one) => !used.has(one)),
);
for (const one of wrong) console.log(one);
for (const one of gone) console.log(`scripts/allowed-patterns.mjs lists what is linear or gone: ${one}`);
if (wrong.length > 0)
  console.log(
    'Write it so that it takes linear time (exclude what begins it, bound its repetitions), or give the reason why it stays.',
  );
process.exitCode = wrong.length + gone.length === 0 ? 0 : 1;
