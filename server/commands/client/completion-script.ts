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
  /** Names of files may follow, too. */
  readonly takesFiles: boolean;
}

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

export function completionScript(shell: keyof typeof scripts, clientCommands: readonly ClientCommand[]): string {
  return scripts[shell](readEntries(clientCommands));
}

function readEntries(clientCommands: readonly ClientCommand[]): readonly Entry[] {
  const settingsFile = { name: 'settings-file', value: 'path', meaning: 'A file of settings in place of ./.env.' };
  const help = { name: 'help', meaning: 'Tell more.' };
  const entries = [
    ...clientCommands.map((command) => ({
      path: command.name.split(' '),
      meaning: command.summary,
      flags: flagsOf(command).map((flag) => ({ ...flagOf(flag), short: flag.short ?? null })),
      words: command.name === 'completion' ? Object.keys(scripts) : [],
      takesFiles: false,
    })),
    ...commands.map((command) => ({
      path: [command.name],
      meaning: command.summary,
      flags: [...(command.flags ?? []), settingsFile, help].map(flagOf),
      words: (command.words ?? []).map(({ name }) => name),
      takesFiles: true,
    })),
  ];
  const named = [...firstWords(entries).keys()];
  return [
    ...entries,
    { path: ['help'], meaning: 'Tell more of a command.', flags: [], words: named, takesFiles: false },
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

/** Flags as they are typed, behind which their value stands. */
const beforeValues = ({ flags }: Entry): readonly string[] =>
  flags
    .filter(({ takesValue }) => takesValue)
    .flatMap(({ name, short }) => [`--${name}`, ...(short === null ? [] : [`-${short}`])]);

function bashScript(entries: readonly Entry[]): string {
  const groups = firstWords(entries);
  const group = [...groups].filter(([, members]) => isGroup(members));
  return [
    '_kanbase() {',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of the shell
    '  local current="$2" before="$3" first="${COMP_WORDS[1]}" second="${COMP_WORDS[2]}" words="" flags="" values="" files=""',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    words="${[...groups.keys()].join(' ')}"`,
    '  else',
    '    case "$COMP_CWORD $first" in',
    ...group.map(
      ([first, members]) => `      "2 ${first}") words="${members.map(({ path }) => path[1]).join(' ')}" ;;`,
    ),
    '      *) case "$first $second " in',
    ...entries.map((entry) => {
      const flags = entry.flags.map(({ name }) => `--${name}`).join(' ');
      const rest = ` values=" ${beforeValues(entry).join(' ')} "${entry.takesFiles ? ' files=yes' : ''}`;
      return `        "${entry.path.join(' ')} "*) words="${entry.words.join(' ')}" flags="${flags}"${rest} ;;`;
    }),
    '      esac ;;',
    '    esac',
    '  fi',
    // Flags where they are begun, or where nothing else can follow.
    '  case "$current" in -*) words="$words $flags" ;; *) [ -n "$words$files" ] || words="$flags" ;; esac',
    '  case "$values" in *" $before "*) words="" ;; esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -F _kanbase kanbase',
  ].join('\n');
}

function zshScript(entries: readonly Entry[]): string {
  const groups = firstWords(entries);
  const text = (word: string, meaning: string): string => shellText(`${word.replaceAll(':', '\\:')}:${meaning}`);
  const list = (items: readonly string[], name = 'offers'): string => `${name}=(${items.join(' ')})`;
  const firsts = [...groups].map(([first, members]) =>
    text(first, isGroup(members) ? groupMeaning(first) : (members[0]?.meaning ?? '')),
  );
  return [
    '#compdef kanbase',
    '_kanbase() {',
    '  local -a offers flags values',
    '  local files=',
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
    '      *) case "$words[2] $words[3] " in',
    ...entries.map((entry) => {
      const flags = entry.flags.map(({ name, meaning }) => text(`--${name}`, meaning));
      const rest = `${list(beforeValues(entry), 'values')}${entry.takesFiles ? ' files=yes' : ''}`;
      return `        "${entry.path.join(' ')} "*) ${list(entry.words)} ${list(flags, 'flags')} ${rest} ;;`;
    }),
    '      esac ;;',
    '    esac',
    '  fi',
    '  if [[ $PREFIX == -* || -z "$offers$files" ]]; then offers+=($flags); fi',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of the shell
    '  if (( ${values[(Ie)$words[CURRENT-1]]} )); then offers=(); fi',
    '  _describe kanbase offers',
    '  if [[ -n $files && $PREFIX != -* ]]; then _files; fi',
    '}',
    // Sourced in a session of which nobody has switched completion on.
    'if ! (( $+functions[compdef] )); then autoload -Uz compinit && compinit; fi',
    'if [ "$funcstack[1]" = "_kanbase" ]; then _kanbase "$@"; else compdef _kanbase kanbase; fi',
  ].join('\n');
}

function fishScript(entries: readonly Entry[]): string {
  const complete = (condition: string, rest: string): string =>
    `complete -c kanbase -n ${shellText(condition)} ${rest}`;
  const lines = [
    // The words before the one at the cursor begin so; the value of a flag is none of them.
    'function __kanbase_in',
    '  set -l words (commandline -opc)',
    '  set -e words[1]',
    '  for word in $argv',
    '    test "$words[1]" = $word; or return 1',
    '    set -e words[1]',
    '  end',
    '  return 0',
    'end',
    'function __kanbase_after',
    '  __kanbase_in $argv; and test (count (commandline -opc)) -eq (math (count $argv) + 1)',
    'end',
    'complete -c kanbase -e',
  ];
  for (const [first, members] of firstWords(entries)) {
    const meaning = isGroup(members) ? groupMeaning(first) : (members[0]?.meaning ?? '');
    lines.push(complete('__kanbase_after', `-f -a ${first} -d ${shellText(meaning)}`));
    for (const { path, meaning: says, flags, words, takesFiles } of members) {
      const there = `__kanbase_in ${path.join(' ')}`;
      if (isGroup(members)) lines.push(complete(`__kanbase_after ${first}`, `-f -a ${path[1]} -d ${shellText(says)}`));
      if (!takesFiles) lines.push(complete(there, '-f'));
      if (words.length > 0)
        lines.push(
          complete(`${there}; and not __fish_seen_subcommand_from ${words.join(' ')}`, `-a '${words.join(' ')}'`),
        );
      for (const flag of flags) {
        const value = takesFiles ? ' -r' : ' -x';
        lines.push(
          complete(
            there,
            `-l ${flag.name}${flag.short === null ? '' : ` -s ${flag.short}`}${flag.takesValue ? value : ''} -d ${shellText(flag.meaning)}`,
          ),
        );
      }
    }
  }
  return lines.join('\n');
}

const shellText = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
