// Runs `kanbase demo`: opens the services without listening and fills in the sample workspace through their doors.

import { migrate } from '../database/migrate.ts';
import { fillDemo } from '../demo/fill-demo.ts';
import { openLog } from '../open-log.ts';
import { openServices } from '../open-services.ts';
import { migrations } from '../reach-database.ts';
import type { Call } from './command.ts';
import { withDatabase } from './with-database.ts';

export async function runDemo({ config, say }: Call): Promise<number> {
  const log = openLog(config);
  return withDatabase(config, log, async (reached) => {
    await migrate(migrations(config, reached, log));
    // The command writes as its sample people, faster than people do: on a busy machine their budget would refuse it halfway.
    const unlimited = { ...config, server: { ...config.server, workBudgetSeconds: 0 } };
    const opened = await openServices(unlimited, reached, log);
    try {
      const { users, projects, added } = await fillDemo(opened.services, reached.directUrl, say);
      if (!added) say('The sample people are there already: nothing was added.');
      say(`\nProjects: ${projects.join(', ')}. Sign in as`);
      for (const { name, email, password } of users) say(`  ${email}  ${password}  (${name})`);
      return 0;
    } finally {
      await opened.close();
    }
  });
}
