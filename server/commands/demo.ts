// `kanbase demo` in words; what it fills in is in ../demo/.

import type { Command } from './command.ts';

export const demo: Command = {
  name: 'demo',
  summary: 'Fill in a sample workspace: two people, three projects, some 120 tasks with dependencies and history.',
  about: 'Prints who to sign in as. Where the sample people exist already, nothing is added.',
  run: async (call) => (await import('./run-demo.ts')).runDemo(call),
};
