// `kanbase operator`: makes and lists administrators. It asks for no proof: a person who can run it already has access to the database.

import pg from 'pg';
import { connectionOptions } from '../database/connection-options.ts';
import { openLog } from '../open-log.ts';
import { type Call, type Command, CommandError, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

export const operator: Command = {
  name: 'operator',
  summary: 'List the operators of this server, make an account one, or take that away.',
  about: [
    'npx kanbase operator                               lists them',
    'npx kanbase operator ada@example.com               makes this account an operator',
    'npx kanbase operator ada@example.com --remove      makes it an account like any other',
    'Operators have the admin pages at /admin. An account with two-factor authentication needs its code there.',
  ].join('\n'),
  argument: { name: 'address', meaning: 'The email address of an account that is there.' },
  flags: [{ name: 'remove', meaning: 'Not an operator any more.' }],
  run: runOperator,
};

async function runOperator({ config, word, flags, say }: Call): Promise<number> {
  const removes = flags.has('remove');
  if (word === null && removes) throw new UsageError('say whose with --remove: npx kanbase operator ADDRESS --remove');
  return withDatabase(config, openLog(config), async ({ directUrl }) => {
    const client = new pg.Client(connectionOptions(directUrl));
    await client.connect();
    try {
      if (word === null) {
        const { rows } = await client.query<{ email: string }>(
          'select email from auth.users where is_operator and deleted_at is null order by email',
        );
        if (rows.length === 0) say('Nobody is an operator yet: npx kanbase operator ADDRESS makes one.');
        for (const { email } of rows) say(email);
        return 0;
      }
      const { rows } = await client.query<{ found: boolean }>('select private.set_operator($1, $2) as found', [
        word,
        !removes,
      ]);
      if (!rows[0]?.found)
        throw new CommandError(
          `no account has the address ${word}: sign up with it first, or make it with the service key`,
        );
      say(removes ? `${word} is no operator any more.` : `${word} is an operator. The admin pages are at /admin.`);
      return 0;
    } finally {
      await client.end();
    }
  });
}
