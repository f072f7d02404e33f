// Scripts that complete commands and flags in bash, zsh and fish, made of what the commands say of themselves.

import { commands } from '../list.ts';
import type { ClientCommand } from './client-command.ts';
import { flagsOf } from './read-words.ts';

interface Flag {
  readonly name: string;
  readonly short: string | null;
  readonly takesValue: boolean;
  readonly meaning: string;
}

interface Entry {
  /** One word, or two. */
  readonly path: readonly string[];
  readonly meaning: string;
  readonly flags: readonly Flag[];
  /** Words that may follow. */
  readonly words: readonly string[];
}

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

export function completionScript(shell: keyof typeof scripts, clientCommands: readonly ClientCommand[]): string {
  return scripts[shell](readEntries(clientCommands));
}

function readEntries(clientCommands: readonly ClientCommand[]): readonly Entry[] {
  const settingsFile = { name: 'settings-file', value: 'path', meaning: 'A file of settings in place of ./.env.' };
  const help = { name: 'help', meaning: 'Tell more.' };
  return [
    ...clientCommands.map((command) => ({
      path: command.name.split(' '),
      meaning: command.summary,
      flags: flagsOf(command).map((flag) => ({ ...flagOf(flag), short: flag.short ?? null })),
      words: command.name === 'completion' ? Object.keys(scripts) : [],
    })),
    ...commands.map((command) => ({
      path: [command.name],
      meaning: command.summary,
      flags: [...(command.flags ?? []), settingsFile, help].map(flagOf),
      words: (command.words ?? []).map(({ name }) => name),
    })),
  ];
}

const flagOf = (flag: { readonly name: string; readonly value?: string; readonly meaning: string }): Flag => ({
  name: flag.name,
  short: null,
  takesValue: flag.value !== undefined,
  meaning: flag.meaning,
});

/** First words, each once, with the words that follow in a group. */
function firstWords(entries: readonly Entry[]): ReadonlyMap<string, readonly Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const [first = ''] = entry.path;
    groups.set(first, [...(groups.get(first) ?? []), entry]);
  }
  return groups;
}

const isGroup = (entries: readonly Entry[]): boolean => entries.some(({ path }) => path.length > 1);
const groupMeaning = (first: string): string => `Work with ${first}s.`;

function bashScript(entries: readonly Entry[]): string {
  const groups = firstWords(entries);
  const group = [...groups].filter(([, members]) => isGroup(members));
  return [
    '_kanbase() {',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of the shell
    '  local current="$2" first="${COMP_WORDS[1]}" second="${COMP_WORDS[2]}" options=""',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    options="${[...groups.keys(), 'help'].join(' ')}"`,
    '  else',
    '    case "$COMP_CWORD $first" in',
    ...group.map(
      ([first, members]) => `      "2 ${first}") options="${members.map(({ path }) => path[1]).join(' ')}" ;;`,
    ),
    '      *) case "$first $second" in',
    ...entries.map(
      ({ path, flags, words }) =>
        `        "${path.join(' ')}"${path.length === 1 ? '*' : ''}) options="${[...words, ...flags.map(({ name }) => `--${name}`)].join(' ')}" ;;`,
    ),
    '      esac ;;',
    '    esac',
    '  fi',
    '  COMPREPLY=($(compgen -W "$options" -- "$current"))',
    '}',
    'complete -o default -F _kanbase kanbase',
  ].join('\n');
}

function zshScript(entries: readonly Entry[]): string {
  const groups = firstWords(entries);
  const text = (word: string, meaning: string): string => shellText(`${word.replaceAll(':', '\\:')}:${meaning}`);
  const list = (items: readonly string[]): string => `options=(${items.join(' ')})`;
  const firsts = [...groups].map(([first, members]) =>
    text(first, isGroup(members) ? groupMeaning(first) : (members[0]?.meaning ?? '')),
  );
  return [
    '#compdef kanbase',
    '_kanbase() {',
    '  local -a options',
    '  if (( CURRENT == 2 )); then',
    `    ${list(firsts)}`,
    '  else',
    '    case "$CURRENT $words[2]" in',
    ...[...groups]
      .filter(([, members]) => isGroup(members))
      .map(
        ([first, members]) =>
          `      "3 ${first}") ${list(members.map(({ path, meaning }) => text(path[1] ?? '', meaning)))} ;;`,
      ),
    '      *) case "$words[2] $words[3]" in',
    ...entries.map(
      ({ path, flags, words }) =>
        `        "${path.join(' ')}"${path.length === 1 ? '*' : ''}) ${list([...words.map((word) => text(word, word)), ...flags.map(({ name, meaning }) => text(`--${name}`, meaning))])} ;;`,
    ),
    '      esac ;;',
    '    esac',
    '  fi',
    "  _describe 'kanbase' options || _files",
    '}',
    'if [ "$funcstack[1]" = "_kanbase" ]; then _kanbase "$@"; else compdef _kanbase kanbase; fi',
  ].join('\n');
}

function fishScript(entries: readonly Entry[]): string {
  const groups = firstWords(entries);
  const lines = ['complete -c kanbase -e'];
  for (const [first, members] of groups) {
    const meaning = isGroup(members) ? groupMeaning(first) : (members[0]?.meaning ?? '');
    lines.push(`complete -c kanbase -f -n __fish_use_subcommand -a ${first} -d ${shellText(meaning)}`);
    const seconds = members.map(({ path }) => path[1]).join(' ');
    for (const entry of members) {
      const seen = `__fish_seen_subcommand_from ${first}`;
      const there = isGroup(members) ? `${seen}; and __fish_seen_subcommand_from ${entry.path[1]}` : seen;
      if (isGroup(members))
        lines.push(
          `complete -c kanbase -f -n ${shellText(`${seen}; and not __fish_seen_subcommand_from ${seconds}`)} -a ${entry.path[1]} -d ${shellText(entry.meaning)}`,
        );
      for (const word of entry.words) lines.push(`complete -c kanbase -f -n ${shellText(there)} -a ${word}`);
      for (const { name, short, takesValue, meaning: says } of entry.flags)
        lines.push(
          `complete -c kanbase -n ${shellText(there)} -l ${name}${short === null ? '' : ` -s ${short}`}${takesValue ? ' -r' : ''} -d ${shellText(says)}`,
        );
    }
  }
  return lines.join('\n');
}

const shellText = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
