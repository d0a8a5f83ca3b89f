import type { MailTexts } from './mail-kinds.ts';

export const de: MailTexts = {
  confirm_email: ({ link, name }, site_name) => ({
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
    text: `Willkommen bei ${site_name}.
${name && `Bei der Registrierung angegebener Name: ${name}\n`}
Öffnen Sie diesen Link, um Ihre E-Mail-Adresse zu bestätigen:
${link}

Wenn Sie ihn in einem anderen Browser öffnen als bei der Registrierung, geben Sie dort das gewählte Passwort ein.
Der Link ist eine Stunde gültig. Ist er abgelaufen, melden Sie sich mit Ihrem Passwort an, um einen neuen zu erhalten.
Falls Sie sich nicht registriert haben, ignorieren Sie diese E-Mail.
`,
  }),
  reset_password: ({ link, email }, site_name) => ({
    subject: 'Neues Passwort festlegen',
    text: `Für das Konto ${email} bei ${site_name} wurde ein neues Passwort angefordert.

Öffnen Sie diesen Link, um es festzulegen:
${link}

Der Link ist eine Stunde gültig und nur einmal verwendbar. Wird ein neuerer erstellt, verfällt er.
Falls die Anforderung nicht von Ihnen stammt, ignorieren Sie diese E-Mail. Das Passwort bleibt unverändert.
`,
  }),
  confirm_new_email: ({ link }, site_name) => ({
    subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse',
    text: `Öffnen Sie diesen Link, um sich bei ${site_name} künftig mit dieser Adresse anzumelden:
${link}

Der Link ist eine Stunde gültig. Bis zur Bestätigung bleibt es bei der bisherigen Adresse.
Falls Sie das nicht angefordert haben, ignorieren Sie diese E-Mail.
`,
  }),
  email_change_asked: ({ new_email }) => ({
    subject: 'Ihre E-Mail-Adresse soll geändert werden',
    text: `Für Ihr Konto wurde angefordert, die E-Mail-Adresse in ${new_email} zu ändern.
Die Änderung gilt, sobald diese Adresse bestätigt ist.

Falls Sie das nicht waren, ändern Sie jetzt Ihr Passwort: Damit ist die Änderung hinfällig.
`,
  }),
  email_changed: ({ new_email }) => ({
    subject: 'Ihre E-Mail-Adresse wurde geändert',
    text: `Die E-Mail-Adresse Ihres Kontos lautet jetzt ${new_email}. Melden Sie sich von nun an damit an.

Falls Sie das nicht waren, wenden Sie sich sofort an den Administrator.
`,
  }),
  two_factor_on: () => ({
    subject: 'Zwei-Faktor-Anmeldung eingeschaltet',
    text: `Die Anmeldung bei Ihrem Konto erfordert jetzt neben dem Passwort einen Code.

Falls Sie das nicht waren, wenden Sie sich sofort an den Administrator.
`,
  }),
  two_factor_off: () => ({
    subject: 'Zwei-Faktor-Anmeldung ausgeschaltet',
    text: `Für die Anmeldung bei Ihrem Konto genügt jetzt das Passwort.

Falls Sie das nicht waren, ändern Sie jetzt Ihr Passwort und schalten Sie die Zwei-Faktor-Anmeldung wieder ein.
`,
  }),
  two_factor_removed: () => ({
    subject: 'Die Zwei-Faktor-Anmeldung wurde von einem Administrator ausgeschaltet',
    text: `Ein Administrator hat die Zwei-Faktor-Anmeldung Ihres Kontos ausgeschaltet und das Konto überall abgemeldet.
Für die Anmeldung genügt jetzt das Passwort.

Falls Sie darum gebeten haben, melden Sie sich an und schalten Sie die Zwei-Faktor-Anmeldung mit dem neuen Smartphone wieder ein.
Falls nicht, ändern Sie jetzt Ihr Passwort und wenden Sie sich sofort an den Administrator.
`,
  }),
  contact_answer: ({ name, subject, message, answer }, site_name) => ({
    subject: `Re: ${subject}`,
    text: `Guten Tag ${name},

${site_name} hat Ihre Nachricht beantwortet:

${answer}

Ihre Nachricht:

${message}
`,
  }),
  notice: ({ title, content, link, is_conversation }) => ({
    subject: title,
    text: `${content}

${is_conversation ? 'Antworten auf diese E-Mail werden nicht gelesen. Antworten Sie im Panel:\n' : ''}${link}

E-Mails wie diese lassen sich in den Einstellungen ausschalten.
`,
  }),
};
