// `npm run languages`: the languages of Kanbase, and what is missing or wrong in the texts of each. Fails when there is something.
// With `-- --pseudo` it writes the pseudo-language and says how to build with it.

import { nameLanguage } from '../contract/name-language.ts';
import { linkFaults, textsOf, translationFaults } from './generate/translation-faults.ts';
import { writePseudoLanguage } from './pseudo-language.mjs';
import { languages } from './strings.mjs';

if (process.argv.includes('--pseudo')) {
  const folder = '.cache/pseudo-language';
  writePseudoLanguage(folder);
  console.log(`Written to ${folder}. Build with it: KANBASE_STRINGS=$PWD/${folder} npm run build -- --force`);
} else listFaults();

function listFaults(): void {
  const english = textsOf('en');
  const count = [...english.values()].reduce((sum, messages) => sum + messages.size, 0);
  for (const language of languages()) {
    const faults = [...translationFaults(language, textsOf(language), english), ...linkFaults(language)];
    console.log(`${nameLanguage(language)} (${language}): ${faults.length} of ${count} messages to mend`);
    for (const fault of faults) console.log(`  ${fault}`);
    if (faults.length > 0) process.exitCode = 1;
  }
}
