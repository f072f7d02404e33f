// Our mails in English, by kind, and what stands around them. The other languages have the same ones (mail-templates.ts).

import type { MailContent, MailData } from './mail-content.ts';

export type Write = (data: MailData, product: string) => MailContent;

const ignore = 'If you did not ask for this, you can ignore this message: nothing changes.';

const mails = {
  confirmation: (data, product) => ({
    subject: `Confirm your e-mail address for ${product}`,
    heading: 'Confirm your e-mail address',
    paragraphs: [
      `Welcome to ${product}. One step is left: confirm that ${data.text('email')} is yours.`,
      goodFor(data),
    ],
    ...proof(data, 'Confirm my address'),
    closing: 'If you did not sign up, ignore this message: without the confirmation there is no account.',
  }),
  already_registered: (data, product) => ({
    subject: `You already have an account at ${product}`,
    heading: 'You already have an account',
    paragraphs: [
      `Someone, probably you, tried to sign up at ${product} with ${data.text('email')}. This address has an account already, so nothing was changed.`,
      'Sign in with your password, or reset it if you have forgotten it.',
    ],
    action: { label: `Go to ${product}`, url: data.text('site_url') },
  }),
  invite: (data, product) => ({
    subject: `You are invited to ${product}`,
    heading: `You are invited to ${product}`,
    paragraphs: [`An account at ${product} has been prepared for ${data.text('email')}.`, goodFor(data)],
    ...proof(data, 'Accept the invitation'),
    closing: 'If you did not expect an invitation, you can ignore this message.',
  }),
  magic_link: (data, product) => ({
    subject: `Your sign-in link for ${product}`,
    heading: 'Sign in',
    paragraphs: [`Use the button or the code to sign in to ${product} as ${data.text('email')}.`, goodFor(data)],
    ...proof(data, 'Sign in'),
    closing: 'If you did not try to sign in, ignore this message. Do not pass the code on to anyone.',
  }),
  recovery: (data, product) => ({
    subject: `Reset your password for ${product}`,
    heading: 'Reset your password',
    paragraphs: [`Someone, hopefully you, asked for a new password for ${data.text('email')}.`, goodFor(data)],
    ...proof(data, 'Choose a new password'),
    closing: ignore,
  }),
  email_change: (data, product) => ({
    subject: `Confirm the change of your e-mail address at ${product}`,
    heading: 'Confirm the change of your e-mail address',
    paragraphs: [
      data.text('old_email') === ''
        ? `Confirm that ${data.text('new_email')} is yours.`
        : `Your account at ${product} is to use ${data.text('new_email')} instead of ${data.text('old_email')}. Both addresses may have to agree.`,
      goodFor(data),
    ],
    ...proof(data, 'Confirm the change'),
    closing: 'If you did not ask for this change, ignore this message and think about changing your password.',
  }),
  reauthentication: (data, product) => ({
    subject: `${data.text('code')} is your code for ${product}`,
    heading: 'Confirm that it is you',
    paragraphs: ['Enter this code to confirm the change you are making.', goodFor(data)],
    code: data.text('code'),
    closing:
      'If you are not making a change, someone else is using your account: sign out everywhere and choose a new password.',
  }),
  factors_reset: (data, product) => ({
    subject: `Your second factor at ${product} was reset`,
    heading: 'Your second factor was reset',
    paragraphs: [
      `Whoever runs ${product} took the second factor of ${data.text('email')} away, and all devices were signed out. Sign in with your password, and add a second factor again.`,
    ],
    action: { label: `Go to ${product}`, url: '/sign-in' },
    closing: 'If you did not ask for this, change your password now and tell whoever runs this service.',
  }),
  test: (data, product) => ({
    subject: `A test mail from ${product}`,
    heading: 'Mail works',
    paragraphs: [`You asked for this test email on the admin page of ${product}, as ${data.text('email')}.`],
  }),
  backup_failed: (data, product) => ({
    subject: `A scheduled backup of ${product} failed`,
    heading: 'A scheduled backup failed',
    paragraphs: [
      `The backup of ${data.text('due')} UTC was not made: ${data.text('reason')}`,
      'The next one tries again at its time. The admin page shows the last good backup; you get this message once a day at most.',
    ],
    action: { label: 'Open the admin page', url: '/admin' },
    closing: 'You get this message because you are an administrator of this server.',
  }),
  operator_entered: (data, product) => ({
    subject: `An operator looks into ${data.text('project_name')}`,
    heading: 'An operator looks into your project',
    paragraphs: [
      `${data.text('operator')}, who runs ${product}, entered ${data.text('project_name')} as a viewer, for a day at most. The reason given: ${data.text('reason')}`,
    ],
    action: { label: 'See who is in it', url: data.text('url') },
    closing: 'You may remove them from the project at any time.',
  }),
  project_passed: (data, product) => ({
    subject: `${data.text('project_name')} has another owner`,
    heading: 'A project has another owner',
    paragraphs: [
      `${data.text('operator')}, who runs ${product}, made somebody else the owner of ${data.text('project_name')}. Those who owned it stay as editors. The reason given: ${data.text('reason')}`,
    ],
    action: { label: 'See who is in it', url: data.text('url') },
  }),
  transfer_announced: (data, product) => ({
    subject: `${data.text('project_name')} gets another owner unless someone objects`,
    heading: 'A project gets another owner',
    paragraphs: [
      `${data.text('operator')}, who runs ${product}, makes ${data.text('new_owner')} the owner of ${data.text('project_name')} on ${data.text('due_at')}. Everyone in the project can object until then. The reason given: ${data.text('reason')}`,
    ],
    action: { label: 'See it and object', url: data.text('url') },
  }),
  transfer_objected: (data) => ({
    subject: `${data.text('project_name')} stays with its owners`,
    heading: 'Someone objected',
    paragraphs: [
      `${data.text('by')} objected to the transfer of ${data.text('project_name')} to ${data.text('new_owner')}. The project stays with its owners.`,
    ],
    action: { label: 'See who is in it', url: data.text('url') },
  }),
  transfer_withdrawn: (data) => ({
    subject: `${data.text('project_name')} stays with its owners`,
    heading: 'The transfer was withdrawn',
    paragraphs: [
      `${data.text('project_name')} isn’t transferred to ${data.text('new_owner')}. The project stays with its owners.`,
    ],
    action: { label: 'See who is in it', url: data.text('url') },
  }),
  project_restored: (data, product) => ({
    subject: `${data.text('project_name')} is back`,
    heading: 'A deleted project is back',
    paragraphs: [
      `${data.text('operator')}, who runs ${product}, brought back ${data.text('project_name')}, with everybody who was in it. The reason given: ${data.text('reason')}`,
    ],
    action: { label: 'See who is in it', url: data.text('url') },
  }),
  password_changed: (data, product) => ({
    subject: `Your password at ${product} was changed`,
    heading: 'Your password was changed',
    paragraphs: [`The password of ${data.text('email')} has just been changed, and all other devices were signed out.`],
    action: { label: `Go to ${product}`, url: data.text('site_url') },
    closing: 'If this was not you, reset your password now.',
  }),
  email_changed: (data, product) => ({
    subject: `Your e-mail address at ${product} was changed`,
    heading: 'Your e-mail address was changed',
    paragraphs: [`Your account at ${product} now uses ${data.text('new_email')}. This address no longer signs in.`],
    closing: 'If this was not you, tell whoever runs this service.',
  }),
  identity_linked: (data, product) => ({
    subject: `${data.text('provider')} can now sign in to your account at ${product}`,
    heading: 'A way to sign in was added',
    paragraphs: [`The account of ${data.text('email')} can now be opened by signing in with ${data.text('provider')}.`],
    action: { label: `Go to ${product}`, url: data.text('site_url') },
    closing: 'If this was not you, remove it in your account and choose a new password.',
  }),
  identity_unlinked: (data, product) => ({
    subject: `A way to sign in to your account at ${product} was removed`,
    heading: 'A way to sign in was removed',
    paragraphs: [`The account of ${data.text('email')} can no longer be opened with ${data.text('provider')}.`],
    action: { label: `Go to ${product}`, url: data.text('site_url') },
    closing: 'If this was not you, reset your password now.',
  }),
  project_invitation: (data, product) => ({
    subject: `${data.text('inviter_name') || 'Someone'} invites you to ${data.text('project_name') || 'a project'}`,
    heading: `Join ${data.text('project_name') || 'a project'}`,
    paragraphs: [
      `${data.text('inviter_name') || 'A member'} invites you to work on ${data.text('project_name') || 'a project'} in ${product}` +
        `${data.text('role') === '' ? '.' : `, as ${data.text('role')}.`}`,
    ],
    ...(data.text('url') === '' ? {} : { action: { label: 'Open the invitation', url: data.text('url') } }),
    closing: 'If you do not know who invites you, you can ignore this message.',
  }),
} satisfies Readonly<Record<string, Write>>;

export function proof(data: MailData, label: string): Pick<MailContent, 'action' | 'code'> {
  return {
    ...(data.text('url') === '' ? {} : { action: { label, url: data.text('url') } }),
    ...(data.text('code') === '' ? {} : { code: data.text('code') }),
  };
}

function goodFor(data: MailData): string {
  const minutes = Number(data.text('minutes'));
  if (!Number.isFinite(minutes) || minutes <= 0) return 'It works once.';
  return `It works once, for ${minutes % 60 === 0 ? plural(minutes / 60, 'hour') : plural(minutes, 'minute')}.`;
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

export interface MailTexts {
  readonly mails: Readonly<Record<keyof typeof mails, Write>>;
  /** Where a mail comes without words of its own for it. */
  readonly message: (product: string) => string;
  readonly goTo: (product: string) => string;
  readonly codeLine: string;
  readonly orCode: string;
  readonly yourCode: string;
  readonly buttonFails: string;
}

export const englishMails: MailTexts = {
  mails,
  message: (product) => `A message from ${product}`,
  goTo: (product) => `Go to ${product}`,
  codeLine: 'Code',
  orCode: 'Or enter this code:',
  yourCode: 'Your code:',
  buttonFails: 'If the button does not work, open this address:',
};
