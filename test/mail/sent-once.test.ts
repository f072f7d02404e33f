// A sent email is not sent again when the database can't record it at once.

import { expect, it } from 'vitest';
import { unreachable } from '../../server/database/errors.ts';
import type { Database } from '../../server/database/types.ts';
import { startMail } from '../../server/mail/start-mail.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { catchMail } from '../identity/mail-catcher.ts';

const post = forSuite(catchMail);
const app = forSuite(() => startApp({ settings: { SMTP_URL: post.url, AUTH_MAIL_INTERVAL: '0' } }));

it('is noted as soon as it can be', async () => {
  const { database } = app.services;
  let failures = 2;
  const busy = {
    ...database,
    objectsAs: (...[caller, statement, options]: Parameters<Database['objectsAs']>) =>
      statement.text.includes(`state = 'sent'`) && failures-- > 0
        ? Promise.reject(unreachable(null))
        : database.objectsAs(caller, statement, options),
  } as Database;
  const mail = await startMail({ ...app.services, database: busy });
  try {
    const { error } = await app.client().auth.signUp({ email: 'ada@example.test', password: 'a long password' });
    expect(error).toBeNull();
    await post.next('ada@example.test');
    const state = () => app.sql(`select state, attempts from private.outbox where recipient = 'ada@example.test'`);
    await expect.poll(state).toEqual([{ state: 'sent', attempts: 1 }]);
  } finally {
    await mail.stop();
  }
});
