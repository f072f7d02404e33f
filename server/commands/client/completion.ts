// `kanbase completion`: a script for bash, zsh or fish that completes commands and flags.

import { UsageError } from '../command.ts';
import type { ClientCall, ClientCommand } from './client-command.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

export const completion: ClientCommand = {
  name: 'completion',
  summary: 'Print a script that completes commands and flags: bash, zsh or fish.',
  words: [{ name: 'SHELL', meaning: shells.join(', ') }],
  examples: [
    'source <(kanbase completion bash)          # in ~/.bashrc',
    'source <(kanbase completion zsh)           # in ~/.zshrc, after compinit',
    'kanbase completion fish > ~/.config/fish/completions/kanbase.fish',
  ],
  run: printScript,
};

async function printScript({ words, screen, commands }: ClientCall): Promise<void> {
  const shell = shells.find((one) => one === words[0]);
  if (shell === undefined) throw new UsageError(`SHELL must be ${shells.join(', ')}, not ${JSON.stringify(words[0])}`);
  // Only here are the commands of a server needed.
  const { completionScript } = await import('./completion-script.ts');
  screen.say(completionScript(shell, commands));
}
