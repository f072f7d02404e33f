// `kanbase doctor` in words; the checks are in server/doctor.

import type { Command } from './command.ts';

export const doctor: Command = {
  name: 'doctor',
  summary:
    'Check settings, data directory, disk, database, privileges, migrations, policies and clock; say what to do.',
  about: 'Changes nothing. Exit code 0 when Kanbase can serve, 1 when something needs mending.',
  flags: [{ name: 'json', meaning: 'As JSON.' }],
  run: async (call) => (await import('./run-doctor.ts')).runDoctor(call),
};
