// Our mails in German, by kind, and what stands around them.

import { type MailTexts, proof } from './english-mails.ts';
import type { MailData } from './mail-content.ts';

const ignore = 'Wenn du das nicht angefordert hast, kannst du diese Nachricht ignorieren: Nichts ändert sich.';

const roles: Readonly<Record<string, string>> = {
  owner: 'mit der Rolle „Leitung“',
  editor: 'mit der Rolle „Mitarbeit“',
  viewer: 'mit der Rolle „Nur lesen“',
};

export const germanMails: MailTexts = {
  mails: {
    confirmation: (data, product) => ({
      subject: `Bestätige deine E-Mail-Adresse für ${product}`,
      heading: 'Bestätige deine E-Mail-Adresse',
      paragraphs: [
        `Willkommen bei ${product}. Ein Schritt fehlt noch: Bestätige, dass ${data.text('email')} deine Adresse ist.`,
        goodFor(data),
      ],
      ...proof(data, 'Adresse bestätigen'),
      closing:
        'Wenn du dich nicht registriert hast, ignoriere diese Nachricht: Ohne die Bestätigung entsteht kein Konto.',
    }),
    already_registered: (data, product) => ({
      subject: `Du hast schon ein Konto bei ${product}`,
      heading: 'Du hast schon ein Konto',
      paragraphs: [
        `Jemand, vermutlich du, wollte sich bei ${product} mit ${data.text('email')} registrieren. Mit dieser Adresse gibt es schon ein Konto, deshalb wurde nichts geändert.`,
        'Melde dich mit deinem Passwort an, oder setze es zurück, wenn du es vergessen hast.',
      ],
      action: { label: `Zu ${product}`, url: data.text('site_url') },
    }),
    invite: (data, product) => ({
      subject: `Du bist zu ${product} eingeladen`,
      heading: `Du bist zu ${product} eingeladen`,
      paragraphs: [`Für ${data.text('email')} wurde ein Konto bei ${product} vorbereitet.`, goodFor(data)],
      ...proof(data, 'Einladung annehmen'),
      closing: 'Wenn du keine Einladung erwartet hast, kannst du diese Nachricht ignorieren.',
    }),
    magic_link: (data, product) => ({
      subject: `Dein Anmeldelink für ${product}`,
      heading: 'Anmelden',
      paragraphs: [
        `Mit dem Knopf oder dem Code meldest du dich bei ${product} als ${data.text('email')} an.`,
        goodFor(data),
      ],
      ...proof(data, 'Anmelden'),
      closing: 'Wenn du dich nicht anmelden wolltest, ignoriere diese Nachricht. Gib den Code an niemanden weiter.',
    }),
    recovery: (data, product) => ({
      subject: `Setz dein Passwort für ${product} zurück`,
      heading: 'Setz dein Passwort zurück',
      paragraphs: [
        `Jemand, hoffentlich du, hat ein neues Passwort für ${data.text('email')} angefordert.`,
        goodFor(data),
      ],
      ...proof(data, 'Neues Passwort wählen'),
      closing: ignore,
    }),
    email_change: (data, product) => ({
      subject: `Bestätige die Änderung deiner E-Mail-Adresse bei ${product}`,
      heading: 'Bestätige die Änderung deiner E-Mail-Adresse',
      paragraphs: [
        data.text('old_email') === ''
          ? `Bestätige, dass ${data.text('new_email')} deine Adresse ist.`
          : `Dein Konto bei ${product} soll ${data.text('new_email')} statt ${data.text('old_email')} verwenden. Vielleicht müssen beide Adressen zustimmen.`,
        goodFor(data),
      ],
      ...proof(data, 'Änderung bestätigen'),
      closing:
        'Wenn du diese Änderung nicht angefordert hast, ignoriere diese Nachricht und überlege, dein Passwort zu ändern.',
    }),
    reauthentication: (data, product) => ({
      subject: `${data.text('code')} ist dein Code für ${product}`,
      heading: 'Bestätige, dass du es bist',
      paragraphs: ['Gib diesen Code ein, um deine Änderung zu bestätigen.', goodFor(data)],
      code: data.text('code'),
      closing:
        'Wenn du gerade nichts änderst, benutzt jemand anderes dein Konto: Melde dich überall ab und wähle ein neues Passwort.',
    }),
    factors_reset: (data, product) => ({
      subject: `Dein zweiter Faktor bei ${product} wurde zurückgesetzt`,
      heading: 'Dein zweiter Faktor wurde zurückgesetzt',
      paragraphs: [
        `Wer ${product} betreibt, hat den zweiten Faktor von ${data.text('email')} entfernt, und alle Geräte wurden abgemeldet. Melde dich mit deinem Passwort an und richte wieder einen zweiten Faktor ein.`,
      ],
      action: { label: `Zu ${product}`, url: '/sign-in' },
      closing: 'Wenn du das nicht wolltest, ändere jetzt dein Passwort und sag es denen, die diesen Dienst betreiben.',
    }),
    test: (data, product) => ({
      subject: `Eine Probe-Mail von ${product}`,
      heading: 'Mails kommen an',
      paragraphs: [`Diese Mail wurde in der Administration von ${product} angefordert, für ${data.text('email')}.`],
    }),
    backup_failed: (data, product) => ({
      subject: `Ein geplantes Backup von ${product} ist fehlgeschlagen`,
      heading: 'Ein geplantes Backup ist fehlgeschlagen',
      paragraphs: [
        `Das Backup von ${data.text('due')} UTC wurde nicht erstellt: ${data.text('reason')}`,
        'Das nächste versucht es zu seiner Zeit wieder. Die Admin-Seite zeigt das letzte gute Backup; diese Nachricht kommt höchstens einmal am Tag.',
      ],
      action: { label: 'Zur Admin-Seite', url: '/admin' },
      closing: 'Du bekommst diese Nachricht, weil du diesen Server verwaltest.',
    }),
    operator_entered: (data, product) => ({
      subject: `Der Betrieb sieht in ${data.text('project_name')}`,
      heading: 'Der Betrieb sieht in dein Projekt',
      paragraphs: [
        `${data.text('operator')} betreibt ${product} und liest in ${data.text('project_name')} mit, höchstens einen Tag lang. Der Grund: ${data.text('reason')}`,
      ],
      action: { label: 'Wer darin ist', url: data.text('url') },
      closing: 'Du kannst diesen Zugang jederzeit aus dem Projekt entfernen.',
    }),
    project_passed: (data, product) => ({
      subject: `${data.text('project_name')} hat eine andere Leitung`,
      heading: 'Ein Projekt hat eine andere Leitung',
      paragraphs: [
        `${data.text('operator')} betreibt ${product} und hat die Leitung von ${data.text('project_name')} weitergegeben. Wer es bisher leitete, arbeitet weiter mit. Der Grund: ${data.text('reason')}`,
      ],
      action: { label: 'Wer darin ist', url: data.text('url') },
    }),
    transfer_announced: (data, product) => ({
      subject: `${data.text('project_name')} bekommt einen anderen Eigentümer, wenn niemand widerspricht`,
      heading: 'Ein Projekt bekommt einen anderen Eigentümer',
      paragraphs: [
        `${data.text('operator')} betreibt ${product} und macht ${data.text('new_owner')} am ${data.text('due_at')} zum Eigentümer von ${data.text('project_name')}. Bis dahin können alle im Projekt widersprechen. Der Grund: ${data.text('reason')}`,
      ],
      action: { label: 'Ansehen und widersprechen', url: data.text('url') },
    }),
    transfer_objected: (data) => ({
      subject: `${data.text('project_name')} behält seine Eigentümer`,
      heading: 'Jemand hat widersprochen',
      paragraphs: [
        `${data.text('by')} hat der Weitergabe von ${data.text('project_name')} an ${data.text('new_owner')} widersprochen. Das Projekt behält seine Eigentümer.`,
      ],
      action: { label: 'Wer darin ist', url: data.text('url') },
    }),
    transfer_withdrawn: (data) => ({
      subject: `${data.text('project_name')} behält seine Eigentümer`,
      heading: 'Die Weitergabe wurde zurückgezogen',
      paragraphs: [
        `${data.text('project_name')} geht nicht an ${data.text('new_owner')}. Das Projekt behält seine Eigentümer.`,
      ],
      action: { label: 'Wer darin ist', url: data.text('url') },
    }),
    project_restored: (data, product) => ({
      subject: `${data.text('project_name')} ist wieder da`,
      heading: 'Ein gelöschtes Projekt ist wieder da',
      paragraphs: [
        `${data.text('operator')} betreibt ${product} und hat ${data.text('project_name')} zurückgeholt, mit allen, die darin waren. Der Grund: ${data.text('reason')}`,
      ],
      action: { label: 'Wer darin ist', url: data.text('url') },
    }),
    password_changed: (data, product) => ({
      subject: `Dein Passwort bei ${product} wurde geändert`,
      heading: 'Dein Passwort wurde geändert',
      paragraphs: [
        `Das Passwort von ${data.text('email')} wurde eben geändert, und alle anderen Geräte wurden abgemeldet.`,
      ],
      action: { label: `Zu ${product}`, url: data.text('site_url') },
      closing: 'Wenn du das nicht warst, setze dein Passwort jetzt zurück.',
    }),
    email_changed: (data, product) => ({
      subject: `Deine E-Mail-Adresse bei ${product} wurde geändert`,
      heading: 'Deine E-Mail-Adresse wurde geändert',
      paragraphs: [
        `Dein Konto bei ${product} verwendet jetzt ${data.text('new_email')}. Mit dieser Adresse kannst du dich nicht mehr anmelden.`,
      ],
      closing: 'Wenn du das nicht warst, sag es denen, die diesen Dienst betreiben.',
    }),
    identity_linked: (data, product) => ({
      subject: `${data.text('provider')} kann sich jetzt bei deinem Konto bei ${product} anmelden`,
      heading: 'Ein Weg zum Anmelden kam hinzu',
      paragraphs: [
        `Das Konto von ${data.text('email')} lässt sich jetzt auch durch Anmelden mit ${data.text('provider')} öffnen.`,
      ],
      action: { label: `Zu ${product}`, url: data.text('site_url') },
      closing: 'Wenn du das nicht warst, entferne ihn in deinem Konto und wähle ein neues Passwort.',
    }),
    identity_unlinked: (data, product) => ({
      subject: `Ein Weg, dich bei ${product} anzumelden, wurde entfernt`,
      heading: 'Ein Weg zum Anmelden wurde entfernt',
      paragraphs: [`Das Konto von ${data.text('email')} lässt sich nicht mehr mit ${data.text('provider')} öffnen.`],
      action: { label: `Zu ${product}`, url: data.text('site_url') },
      closing: 'Wenn du das nicht warst, setze dein Passwort jetzt zurück.',
    }),
    project_invitation: (data, product) => {
      const who = data.text('inviter_name');
      const project = data.text('project_name');
      const role = roles[data.text('role')];
      return {
        subject: `${who || 'Jemand'} lädt dich zu ${project || 'einem Projekt'} ein`,
        heading: project === '' ? 'Mach bei einem Projekt mit' : `Mach mit bei ${project}`,
        paragraphs: [
          `${who || 'Ein Mitglied'} lädt dich ein, in ${product} an ${project || 'einem Projekt'} mitzuarbeiten${role === undefined ? '.' : `, ${role}.`}`,
        ],
        ...(data.text('url') === '' ? {} : { action: { label: 'Einladung öffnen', url: data.text('url') } }),
        closing: 'Wenn du nicht weißt, wer dich einlädt, kannst du diese Nachricht ignorieren.',
      };
    },
  },
  message: (product) => `Eine Nachricht von ${product}`,
  goTo: (product) => `Zu ${product}`,
  codeLine: 'Code',
  orCode: 'Oder gib diesen Code ein:',
  yourCode: 'Dein Code:',
  buttonFails: 'Wenn der Knopf nicht geht, öffne diese Adresse:',
};

function goodFor(data: MailData): string {
  const minutes = Number(data.text('minutes'));
  if (!Number.isFinite(minutes) || minutes <= 0) return 'Das gilt einmal.';
  const hours = minutes / 60;
  const time =
    minutes % 60 === 0
      ? `${hours} ${hours === 1 ? 'Stunde' : 'Stunden'}`
      : `${minutes} ${minutes === 1 ? 'Minute' : 'Minuten'}`;
  return `Das gilt einmal, für ${time}.`;
}
