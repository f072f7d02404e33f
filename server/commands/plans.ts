// `kanbase plans`: what the prices at the payment provider mean here, and which limits come with them.

import { sayMoney } from '../../contract/money.ts';
import { openProvider } from '../billing/open-provider.ts';
import { deletePlan, listPlans, type Plan, savePlan } from '../billing/plan-rows.ts';
import type { Database } from '../database/types.ts';
import { openLog } from '../open-log.ts';
import { type Call, type Command, CommandError, UsageError } from './command.ts';
import { withRows } from './with-database.ts';

export const plans: Command = {
  name: 'plans',
  summary: 'List the plans people can buy, add or change one, or remove one.',
  about: [
    'npx kanbase plans set --price price_123 --name Team --limits \'{"projects":20}\' --enforce',
    'npx kanbase plans set --price free --name Free --limits \'{"projects":2,"members_per_project":3}\' --enforce',
    'The plan of the price "free" is that of everybody who bought nothing. Limits count only with --enforce.',
  ].join('\n'),
  words: [
    {
      name: 'set',
      meaning: 'Add or change the plan of --price; what the price costs is asked of the payment provider.',
    },
    { name: 'remove', meaning: 'Remove the plan of --price. Who bought it keeps what they paid for at the provider.' },
  ],
  flags: [
    { name: 'price', meaning: 'The price id at the payment provider, or free.', value: 'a price id' },
    { name: 'name', meaning: 'How the plan is called on the pages.', value: 'a name' },
    {
      name: 'limits',
      meaning: 'How much of what: projects, members_per_project.',
      value: 'a JSON object of whole numbers',
    },
    { name: 'position', meaning: 'Place in the list of prices.', value: 'a whole number' },
    { name: 'enforce', meaning: 'The limits count.' },
    { name: 'relax', meaning: 'The limits do not count.' },
    { name: 'hide', meaning: 'Not shown on the landing page.' },
    { name: 'show', meaning: 'Shown on the landing page.' },
    { name: 'json', meaning: 'List as JSON.' },
  ],
  run: runPlans,
};

async function runPlans(call: Call): Promise<number> {
  const { config, word } = call;
  const change = word === null ? null : readChange(call);
  const log = openLog(config);
  return withRows(config, log, async (database) => {
    if (change === null) await list(database, call);
    else if (word === 'remove') await remove(database, change.price, call);
    else await set(database, change, call);
    return 0;
  });
}

interface Change {
  readonly price: string;
  readonly name?: string;
  readonly limits?: Record<string, number>;
  readonly position?: number;
  readonly isEnforced?: boolean;
  readonly isOffered?: boolean;
}

function readChange({ flags }: Call): Change {
  const price = flags.get('price');
  if (!price) throw new UsageError('--price is missing: name the price at the payment provider, or free');
  const name = flags.get('name');
  const limits = flags.get('limits');
  const position = flags.get('position');
  if (position !== undefined && !/^-?\d{1,6}$/.test(position)) throw new UsageError('--position takes a whole number');
  return {
    price,
    ...(name === undefined ? {} : { name }),
    ...(limits === undefined ? {} : { limits: readLimits(limits) }),
    ...(position === undefined ? {} : { position: Number(position) }),
    ...(flags.has('enforce') ? { isEnforced: true } : flags.has('relax') ? { isEnforced: false } : {}),
    ...(flags.has('show') ? { isOffered: true } : flags.has('hide') ? { isOffered: false } : {}),
  };
}

function readLimits(text: string): Record<string, number> {
  const wanted = new UsageError('--limits takes a JSON object of whole numbers, such as {"projects":3}');
  let limits: unknown;
  try {
    limits = JSON.parse(text);
  } catch {
    throw wanted;
  }
  if (typeof limits !== 'object' || limits === null || Array.isArray(limits)) throw wanted;
  if (!Object.values(limits).every((limit) => Number.isSafeInteger(limit) && Number(limit) >= 0)) throw wanted;
  return limits as Record<string, number>;
}

async function list(database: Database, { flags, say }: Call): Promise<void> {
  const found = await listPlans(database);
  if (flags.has('json')) return say(JSON.stringify(found, null, 2));
  if (found.length === 0) return say('No plans yet. npx kanbase plans --help tells how to add one.');
  for (const plan of found)
    say(
      [
        plan.price_id,
        plan.name,
        costOf(plan),
        JSON.stringify(plan.limits),
        plan.is_enforced ? 'enforced' : 'not enforced',
        plan.is_offered ? 'shown' : 'hidden',
      ].join('  '),
    );
}

async function remove(database: Database, price: string, { say }: Call): Promise<void> {
  if (!(await deletePlan(database, price)))
    throw new CommandError(`there is no plan of the price ${price}: npx kanbase plans lists them`);
  say(`removed ${price}`);
}

async function set(database: Database, change: Change, { config, say }: Call): Promise<void> {
  const earlier = (await listPlans(database)).find((plan) => plan.price_id === change.price);
  const cost = change.price === 'free' ? free : await askCost(change.price, config.billing);
  const plan: Plan = {
    price_id: change.price,
    name: change.name ?? earlier?.name ?? cost.name,
    mode: cost.mode,
    amount: cost.amount,
    currency: cost.currency,
    interval: cost.interval,
    interval_count: cost.interval_count,
    limits: change.limits ?? earlier?.limits ?? {},
    is_enforced: change.isEnforced ?? earlier?.is_enforced ?? false,
    is_offered: change.isOffered ?? earlier?.is_offered ?? true,
    position: change.position ?? earlier?.position ?? 0,
  };
  await savePlan(database, plan);
  say(`${earlier === undefined ? 'added' : 'changed'} ${plan.price_id}: ${plan.name}, ${costOf(plan)}`);
}

type Cost = Pick<Plan, 'mode' | 'amount' | 'currency' | 'interval' | 'interval_count' | 'name'>;

const free: Cost = {
  name: 'Free',
  mode: 'subscription',
  amount: 0,
  currency: null,
  interval: null,
  interval_count: 1,
};

async function askCost(price: string, settings: Call['config']['billing']): Promise<Cost> {
  const provider = openProvider(settings);
  if (provider === null)
    throw new CommandError('the payment provider cannot be asked what the price costs: set BILLING_SECRET_KEY');
  const found = await provider.describePrice(price);
  const product = typeof found.product === 'object' && !found.product.deleted ? found.product.name : price;
  return {
    name: product,
    mode: found.recurring === null ? 'payment' : 'subscription',
    amount: found.unit_amount,
    currency: found.currency,
    interval: found.recurring?.interval ?? null,
    interval_count: found.recurring?.interval_count ?? 1,
  };
}

function costOf(plan: Cost): string {
  if (plan.amount === null || plan.currency === null) return plan.amount === 0 ? 'free' : 'price on request';
  const { interval, interval_count: count } = plan;
  const every = interval === null ? '' : count === 1 ? ` per ${interval}` : ` every ${count} ${interval}s`;
  return `${sayMoney(plan.amount, plan.currency, 'en')}${every}`;
}
