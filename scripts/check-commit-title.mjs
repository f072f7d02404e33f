// Checks a commit's title: an imperative verb first, at most 72 characters, no full stop. `.githooks/commit-msg` runs it
// with the file of the message; `git config core.hooksPath .githooks` turns that on.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const longest = 72;
const question = /^(what|who|whose|whoever|whatever|whether|how|where|which|when|why|nobody)$/i;
/** Words that begin titles without a verb. English has no mark of an imperative: this refuses what certainly is none. */
const noVerb =
  /^(a|an|the|this|that|these|those|it|its|we|you|they|he|she|all|every|each|no|none|some|any|one|two|of|in|on|at|by|for|from|after|before|behind|while|if|as|to|with|without|and|or|but|also|only|more|many|few|both|half|several|first|second|long|short|large|small|private|however|people|new|live|here|there)$/i;
/** A noun and its owner: "Format of files". */
const nounOf = /^(?!Dispose |Speak |Think )\S+ of\b/;
/** Adds, added, adding; boards, migration, readiness. */
const otherForm = /(?:ed|ing|[^s]s|tion|ness|ity)$/i;
/** Imperatives that end like another form of a verb, or like a noun. */
const imperatives =
  /^(embed|feed|need|seed|speed|bring|ping|string|swing|focus|alias|bias|mention|partition|position|question|section|function|condition|transition|witness|harness)$/i;

/** Words for the person who commits, or null when all is well. */
export function faultOfTitle(title) {
  if (title.trim() === '') return 'The title is empty.';
  if (/^(Merge|Revert) /.test(title)) return null;
  if (title.length > longest) return `The title has ${title.length} characters; at most ${longest} are allowed.`;
  const [word = ''] = title.split(/[ ,:]/);
  if (question.test(word)) return `The title begins with a question word: ${word}.`;
  if (!/^[A-Z]/.test(word)) return 'The title begins with a capital letter.';
  if (noVerb.test(word) || nounOf.test(title) || (otherForm.test(word) && !imperatives.test(word)))
    return `The title begins with an imperative verb, such as Add, Fix or Keep, not with "${word}".`;
  if (title.endsWith('.')) return 'The title ends without a full stop.';
  return null;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [title = ''] = readFileSync(process.argv[2], 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'));
  const fault = faultOfTitle(title);
  if (fault !== null) {
    console.error(`${fault}\n  ${title}`);
    process.exitCode = 1;
  }
}
