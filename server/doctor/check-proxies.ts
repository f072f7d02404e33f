// Proxies that the server noticed lately and that TRUST_PROXY does not name, or that do not say for whom they ask.

import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { addressTester } from '../limits/address-tester.ts';
import { adviceFor, type NoticedProxy } from '../limits/untrusted-proxies.ts';
import { type Finding, thought } from './finding.ts';

export async function checkProxies(client: pg.Client, { server }: Config): Promise<Finding[]> {
  const { rows: known } = await client.query(
    `select 1 from pg_proc where pronamespace = to_regnamespace('private') and proname = 'read_untrusted_proxies'`,
  );
  if (known.length === 0) return [];
  const { rows } = await client.query<NoticedProxy>('select address, silent from private.read_untrusted_proxies()');
  const trusts = addressTester(server.trustProxy);
  return rows.filter(({ address, silent }) => silent || !trusts(address)).map(findingOf);
}

export function findingOf(proxy: NoticedProxy): Finding {
  const { about, next } = adviceFor(proxy);
  return thought(about, next, { address: proxy.address });
}
