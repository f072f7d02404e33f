// `kanbase import`: brings tasks of another product in, and takes such an import back.

import type { Command } from './command.ts';

export const importCommand: Command = {
  name: 'import',
  summary: 'Bring a board, issues or a table of another product into a project; or take such an import back.',
  about: [
    'It is written with the rights of the person named by --as, as if they had entered it; nobody is notified.',
    'Running it again with a newer file updates what changed there, and doubles nothing. Try --dry-run first.',
    'Addresses in the file are not visited: attachments stay links to where they are.',
  ].join('\n'),
  argument: { name: 'FILE', meaning: 'What the other product exported.' },
  flags: [
    { name: 'as', value: 'EMAIL', meaning: 'Whose import it is.' },
    {
      name: 'project',
      value: 'KEY|new:NAME',
      meaning: 'Where to: the key or id of a project, or new: and the name of one to make.',
    },
    {
      name: 'from',
      value: 'PRODUCT',
      meaning: 'Which product it is (trello, jira, … csv; see the guide), where the file does not tell.',
    },
    { name: 'part', value: 'NAME', meaning: 'Of a zip with several boards or tables, the one that is meant.' },
    { name: 'dry-run', meaning: 'Say what would come and every problem with its line, and write nothing.' },
    {
      name: 'map',
      value: 'COLUMN=FIELD,…',
      meaning: 'What columns of a table hold, where the guess is wrong (see the guide for the fields).',
    },
    {
      name: 'people',
      value: 'NAME=EMAIL,…',
      meaning: 'Who of the file is which member, where their address does not tell.',
    },
    {
      name: 'invite',
      meaning:
        'Invite, as editors, people of the file who are no members and have an address; their tasks are theirs when they join.',
    },
    { name: 'dates', value: 'dmy|mdy', meaning: 'How to read 5/3/2026, where the file does not tell.' },
    { name: 'undo', value: 'ID', meaning: 'Take the import with this id back as a whole.' },
    { name: 'json', meaning: 'Say it as JSON.' },
  ],
  run: async (call) => (await import('./run-import.ts')).runImport(call),
};
