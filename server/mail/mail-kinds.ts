// The kinds of email that rooms and the database send. The texts of each stand in web/strings/<language>/mails.json under its name: a
// subject, a heading, one or two paragraphs, and where there is one the label of its button and a closing.

import type { MessageKey, Texts } from '../texts/texts.ts';
import type { MailContent, MailData } from './mail-content.ts';

interface Kind {
  /** Leads to the address under this name in what was queued, or to a page of ours. */
  readonly opens?: 'url' | 'site_url' | `/${string}`;
  /** Proves an address, by a link or a code that works once. */
  readonly proves?: true;
}

const project: Kind = { opens: 'url' };
const site: Kind = { opens: 'site_url' };
const proof: Kind = { opens: 'url', proves: true };

export const mailKinds = {
  confirmation: proof,
  already_registered: site,
  invite: proof,
  magic_link: proof,
  recovery: proof,
  email_change: proof,
  reauthentication: { proves: true },
  factors_reset: { opens: '/sign-in' },
  test: {},
  backup_failed: { opens: '/admin' },
  webhook_off: project,
  operator_entered: project,
  project_passed: project,
  transfer_announced: project,
  transfer_objected: project,
  transfer_withdrawn: project,
  project_restored: project,
  password_changed: site,
  email_changed: {},
  identity_linked: site,
  identity_unlinked: site,
  recovery_code_used: { opens: '/account' },
  recovery_codes_created: { opens: '/account' },
  project_invitation: project,
} satisfies Readonly<Record<string, Kind>>;
export type MailKind = keyof typeof mailKinds;

/** Of what was queued, what a text may name. */
const named = [
  ...['email', 'new_email', 'old_email', 'code', 'provider', 'remaining', 'due', 'due_at', 'reason'],
  ...['project_name', 'operator', 'new_owner', 'by', 'role', 'task', 'level', 'webhook'],
];

export function writeKind(kind: MailKind, data: MailData, product: string, texts: Texts): MailContent {
  const { opens, proves }: Kind = mailKinds[kind];
  const values = {
    ...Object.fromEntries(named.map((name) => [name, data.text(name)])),
    inviter_name: data.text('inviter_name') || texts.t('mail.someone'),
    product,
  };
  // Every kind has the first three.
  const say = (part: 'subject' | 'heading' | 'words'): string =>
    texts.find(`mail.${kind}.${part}` satisfies MessageKey, values) ?? '';
  const may = (part: 'first' | 'more' | 'button' | 'closing'): string | undefined =>
    texts.find(`mail.${kind}.${part}`, values) ?? undefined;
  // The address of an account without one before is confirmed, not changed.
  const words = (data.text('old_email') === '' && may('first')) || say('words');
  const url = opens?.startsWith('/') ? opens : data.text(opens ?? '');
  const code = proves ? data.text('code') : '';
  const closing = may('closing');
  return {
    subject: say('subject'),
    heading: say('heading'),
    paragraphs: [words, may('more'), proves && worksOnce(data, texts)].filter((one) => one !== undefined),
    ...(url === '' ? {} : { action: { label: may('button') ?? texts.t('mail.goTo', { product }), url } }),
    ...(code === '' ? {} : { code }),
    ...(closing === undefined ? {} : { closing }),
  };
}

function worksOnce(data: MailData, { t }: Texts): string {
  const minutes = Number(data.text('minutes'));
  if (!Number.isFinite(minutes) || minutes <= 0) return t('mail.once.always');
  return minutes % 60 === 0
    ? t('mail.once.hours', { count: minutes / 60 })
    : t('mail.once.minutes', { count: minutes });
}
