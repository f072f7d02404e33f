// GET and POST /confirm: the page a mail's link opens. It has one button, so that scanners that open every link in a
// mail do not use the link up before its reader does.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageLanguage } from '../../http/page-language.ts';
import { textsIn } from '../../texts/texts.ts';
import type { IdentityContext } from '../identity-context.ts';
import { asHtml, ownAddress, sendPage } from '../requests/plain-page.ts';
import { readForm, readQuery } from '../requests/read-body.ts';
import { redirectRulesOf } from '../requests/redirect-rules.ts';
import { acceptRedirect } from '../requests/redirects.ts';
import { confirmPage as describedPage } from './described.ts';
import { followLink } from './verify.ts';

const types = ['signup', 'invite', 'magiclink', 'recovery', 'email_change'] as const;

export async function confirmPage(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const sent = readQuery(request, describedPage);
  const type = types.find((one) => one === sent.type) ?? 'other';
  const { language, t } = textsIn(pageLanguage(request));
  const fields = (['token', 'type', 'redirect_to'] as const)
    .map((name) => `<input type="hidden" name="${name}" value="${asHtml(sent[name] ?? '')}">`)
    .join('');
  return sendPage(reply, {
    language,
    title: t(`link.confirm.${type}.title`),
    body: `<form method="post" action="${ownAddress(context.apiUrl, '/auth/v1/confirm')}">${fields}<button autofocus>${t(`link.confirm.${type}.button`)}</button></form>`,
  });
}

export async function confirmPosted(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const form = await readForm(request);
  return followLink(context, request, reply, {
    token: form.get('token') ?? '',
    type: form.get('type') ?? '',
    redirectTo: acceptRedirect(redirectRulesOf(context), form.get('redirect_to') ?? '') ?? context.siteUrl,
  });
}
