// A process that queues and sends webhooks until nothing waits, and kills itself at a step: before or after its nth call of the database or its nth
// request. Run by crashes.test.ts.

import { pino } from 'pino';
import { readConfig } from '../../server/config/read-config.ts';
import { openDatabase } from '../../server/database/open-database.ts';
import type { Database } from '../../server/database/types.ts';
import { openOutward } from '../../server/outbox/post-outward.ts';
import { queueDeliveries } from '../../server/outbox/webhooks/queue-deliveries.ts';
import { openDeliverer } from '../../server/outbox/webhooks/send-deliveries.ts';

const [url = '', key = '', stopAt = '0'] = process.argv.slice(2);
let steps = 0;
function reach(): void {
  if (++steps === Number(stopAt)) process.kill(process.pid, 'SIGKILL');
}

async function stepping<T>(work: () => Promise<T>): Promise<T> {
  reach();
  const done = await work();
  reach();
  return done;
}

const log = pino({ level: 'silent' });
const { config } = readConfig({ env: { DB_POOL_SIZE: '2' } });
const whole = await openDatabase({ url, config: config.database, log });
const database: Pick<Database, 'objectsAs'> = {
  objectsAs: <T>(...of: Parameters<Database['objectsAs']>) => stepping(() => whole.objectsAs<T>(...of)),
};
const outward = openOutward(['loopback']);
const deliverer = openDeliverer({
  database,
  outward: { ...outward, post: (...of) => stepping(() => outward.post(...of)) },
  key: Buffer.from(key, 'hex'),
  log,
});
const ask = () => Promise.reject(new Error('no filter is asked about'));
while (await queueDeliveries.consume({ database, siteUrl: 'https://kanbase.test', log, ask }));
await deliverer.run(new AbortController().signal);
process.exit(0);
