// Mail for operators: the queue, what failed and why, sending again, and a mail to try the mail server with.

import type { FastifyInstance } from 'fastify';
import { sql } from '../database/sql.ts';
import { described } from '../http/describe-routes.ts';
import { readQuery } from '../http/read-parameters.ts';
import type { Services } from '../services.ts';
import { callAdmin } from './call-admin.ts';
import * as says from './described.ts';
import { idIn } from './read-request.ts';

export function mountMail(door: FastifyInstance, services: Services): void {
  door.get('/mail', described(says.listMail), async (request) => {
    const { words = '', state = '', before = '' } = readQuery(request, says.listMail);
    const since = Number.isNaN(Date.parse(before)) ? null : before;
    const found = await callAdmin<object>(
      services,
      request,
      sql`select private.admin_emails(${words}, ${state}, ${since}::timestamptz, 50) as value`,
    );
    return { ...found, has_server: services.config.mail.smtpUrl !== null };
  });

  door.get('/mail/:id', described(says.readMail), (request) =>
    callAdmin(services, request, sql`select private.admin_email(${idIn(request, 'mail')}::uuid) as value`),
  );

  door.post('/mail/again', described(says.resendAllMail), async (request) => ({
    sent: await callAdmin(services, request, sql`select private.admin_resend_email(null) as value`),
  }));

  door.post('/mail/:id/again', described(says.resendMail), async (request) => ({
    sent: await callAdmin(
      services,
      request,
      sql`select private.admin_resend_email(${idIn(request, 'mail')}::uuid) as value`,
    ),
  }));

  door.post('/mail/test', described(says.sendTestMail), async (request) => ({
    id: await callAdmin(services, request, sql`select private.admin_send_test_email() as value`),
  }));
}
