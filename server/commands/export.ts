// `kanbase export`: writes the data one person can see, of one project or of all, to a file.

import type { Command } from './command.ts';

export const exportCommand: Command = {
  name: 'export',
  summary:
    'Write what somebody sees of a project, or of all of theirs, into a file: JSON, CSV, Markdown or a calendar.',
  about: [
    'It is read with the rights of the person named by --as, as of one moment, while the service runs.',
    'json has all rows and can be imported again, zip the same with all files; csv is a table of tasks; markdown is a zip of pages and files; ical has what has a day.',
  ].join('\n'),
  argument: { name: 'FILE|-', meaning: 'Where to write it, or - for standard output.' },
  flags: [
    { name: 'as', value: 'EMAIL', meaning: 'Whose export it is.' },
    { name: 'project', value: 'KEY', meaning: 'The key or id of one project; all they see otherwise.' },
    { name: 'format', value: 'FORMAT', meaning: 'json, zip, csv, markdown or ical; json otherwise.' },
  ],
  run: async (call) => (await import('./run-export.ts')).runExport(call),
};
