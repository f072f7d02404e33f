// What `kanbase demo` does: opens the house without listening and has the sample workspace filled in through its doors.

import { migrate } from '../database/migrate.ts';
import { fillDemo } from '../demo/fill-demo.ts';
import { openHouse } from '../open-house.ts';
import { openLog } from '../open-log.ts';
import { migrations, reachDatabase } from '../reach-database.ts';
import type { Call } from './command.ts';

export async function runDemo({ config, say }: Call): Promise<number> {
  const log = openLog(config);
  const reached = await reachDatabase(config, log);
  try {
    await migrate(migrations(config, reached, log));
    const opened = await openHouse(config, reached, log);
    try {
      const { users, projects, added } = await fillDemo(opened.house, reached.directUrl, say);
      if (!added) say('The sample people are there already: nothing was added.');
      say(`\nProjects: ${projects.join(', ')}. Sign in as`);
      for (const { name, email, password } of users) say(`  ${email}  ${password}  (${name})`);
      return 0;
    } finally {
      await opened.close();
    }
  } finally {
    await reached.stop();
  }
}
