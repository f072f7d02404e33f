// GET and POST /confirm: the page a mail's link opens. It has one button, so that scanners that open every link in a
// mail do not use the link up before its reader does.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageLanguage } from '../../http/page-language.ts';
import type { IdentityContext } from '../identity-context.ts';
import { asHtml, ownAddress, sendPage } from '../requests/plain-page.ts';
import { queryValue, readForm } from '../requests/read-body.ts';
import { redirectRulesOf } from '../requests/redirect-rules.ts';
import { acceptRedirect } from '../requests/redirects.ts';
import { followLink } from './verify.ts';

type Words = readonly [title: string, button: string];

const texts: Readonly<Record<string, Readonly<Record<string, Words>>>> = {
  en: {
    signup: ['Confirm your e-mail address', 'Confirm and continue'],
    invite: ['Accept the invitation', 'Accept and continue'],
    magiclink: ['Sign in', 'Sign in'],
    recovery: ['Reset your password', 'Continue'],
    email_change: ['Confirm the change of your e-mail address', 'Confirm the change'],
    other: ['Continue', 'Continue'],
  },
  de: {
    signup: ['Bestätige deine E-Mail-Adresse', 'Bestätigen und weiter'],
    invite: ['Nimm die Einladung an', 'Annehmen und weiter'],
    magiclink: ['Anmelden', 'Anmelden'],
    recovery: ['Setz dein Passwort zurück', 'Weiter'],
    email_change: ['Bestätige die Änderung deiner E-Mail-Adresse', 'Änderung bestätigen'],
    other: ['Weiter', 'Weiter'],
  },
};

function wordsFor(type: string, language: string): Words {
  const words = texts[language] ?? {};
  return (Object.hasOwn(words, type) ? words[type] : words.other) ?? ['Continue', 'Continue'];
}

export async function confirmPage(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const type = queryValue(request, 'type');
  const language = pageLanguage(request, Object.keys(texts));
  const [title, button] = wordsFor(type, language);
  const fields = ['token', 'type', 'redirect_to']
    .map((name) => `<input type="hidden" name="${name}" value="${asHtml(queryValue(request, name))}">`)
    .join('');
  return sendPage(reply, {
    language,
    title,
    body: `<form method="post" action="${ownAddress(context.apiUrl, '/auth/v1/confirm')}">${fields}<button autofocus>${button}</button></form>`,
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
