import type { Language } from '@linekeeper/contract/languages.ts';

/** Values for the text of each kind of mail. */
export interface MailFacts {
  confirm_email: { link: string };
  /** `email` names the account. */
  reset_password: { link: string; email: string };
  /** A notification, in the language in which it was written. */
  notice: { title: string; content: string; link: string };
}
export type MailKind = keyof MailFacts;

interface Text {
  subject: string;
  text: string;
}

type Texts = { [Kind in MailKind]: (facts: MailFacts[Kind], site_name: string) => Text };

/** All mails in all languages. German uses "Sie"; Polish and Portuguese avoid addressing the reader. */
export const mailTexts: Record<Language, Texts> = {
  en: {
    confirm_email: ({ link }, site_name) => ({
      subject: 'Confirm your email address',
      text: `Welcome to ${site_name}.

Open this link to confirm your email address:
${link}

The link works for an hour. After that, sign in with your password to get another one.
If you did not sign up, ignore this mail.
`,
    }),
    reset_password: ({ link, email }, site_name) => ({
      subject: 'Set a new password',
      text: `Someone asked for a new password for the account ${email} on ${site_name}.

Open this link to set it:
${link}

The link works once, for an hour, and until a newer one is made.
If you did not ask for it, ignore this mail. The password stays as it is.
`,
    }),
    notice: ({ title, content, link }) => ({
      subject: title,
      text: `${content}

${link}

Mails like this can be turned off in the settings.
`,
    }),
  },
  de: {
    confirm_email: ({ link }, site_name) => ({
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
      text: `Willkommen bei ${site_name}.

Öffnen Sie diesen Link, um Ihre E-Mail-Adresse zu bestätigen:
${link}

Der Link gilt eine Stunde. Melden Sie sich danach mit Ihrem Passwort an, um einen neuen zu erhalten.
Falls Sie sich nicht registriert haben, ignorieren Sie diese E-Mail.
`,
    }),
    reset_password: ({ link, email }, site_name) => ({
      subject: 'Neues Passwort festlegen',
      text: `Für das Konto ${email} bei ${site_name} wurde ein neues Passwort angefordert.

Öffnen Sie diesen Link, um es festzulegen:
${link}

Der Link gilt einmal, eine Stunde lang und nur, bis ein neuerer erstellt wird.
Falls die Anforderung nicht von Ihnen stammt, ignorieren Sie diese E-Mail. Das Passwort bleibt, wie es ist.
`,
    }),
    notice: ({ title, content, link }) => ({
      subject: title,
      text: `${content}

${link}

E-Mails wie diese lassen sich in den Einstellungen abschalten.
`,
    }),
  },
  pl: {
    confirm_email: ({ link }, site_name) => ({
      subject: 'Potwierdzenie adresu e-mail',
      text: `Witamy w panelu ${site_name}.

Aby potwierdzić adres e-mail, otwórz ten link:
${link}

Link działa przez godzinę. Później zaloguj się hasłem, a przyjdzie nowy.
Jeśli konto zostało założone przez kogoś innego, zignoruj tę wiadomość.
`,
    }),
    reset_password: ({ link, email }, site_name) => ({
      subject: 'Ustawianie nowego hasła',
      text: `Ktoś poprosił o nowe hasło do konta ${email} w panelu ${site_name}.

Aby je ustawić, otwórz ten link:
${link}

Link działa raz, przez godzinę i tylko do utworzenia nowszego.
Jeśli prośba pochodzi od kogoś innego, zignoruj tę wiadomość. Hasło się nie zmieni.
`,
    }),
    notice: ({ title, content, link }) => ({
      subject: title,
      text: `${content}

${link}

Takie wiadomości można wyłączyć w ustawieniach.
`,
    }),
  },
  pt: {
    confirm_email: ({ link }, site_name) => ({
      subject: 'Confirmação do endereço de e-mail',
      text: `Boas-vindas a ${site_name}.

Para confirmar o endereço de e-mail, abra este link:
${link}

O link funciona durante uma hora. Depois disso, inicie sessão com a palavra-passe para receber outro.
Se o registo não foi feito por si, ignore esta mensagem.
`,
    }),
    reset_password: ({ link, email }, site_name) => ({
      subject: 'Definição de uma nova palavra-passe',
      text: `Foi pedida uma nova palavra-passe para a conta ${email} em ${site_name}.

Para a definir, abra este link:
${link}

O link funciona uma vez, durante uma hora e até ser criado outro mais recente.
Se não foi feito por si, ignore esta mensagem. A palavra-passe mantém-se.
`,
    }),
    notice: ({ title, content, link }) => ({
      subject: title,
      text: `${content}

${link}

Mensagens como esta podem ser desativadas nas definições.
`,
    }),
  },
};

/** Why somebody gets a mail, below each. */
export const mailReasons: Record<
  Language,
  (about: { site_name: string; email: string }) => string
> = {
  en: ({ site_name, email }) =>
    `You receive this mail because ${email} has an account on ${site_name}.`,
  de: ({ site_name, email }) =>
    `Sie erhalten diese E-Mail, weil es bei ${site_name} ein Konto für ${email} gibt.`,
  pl: ({ site_name, email }) =>
    `Powód wysłania tej wiadomości: konto ${email} w panelu ${site_name}.`,
  pt: ({ site_name, email }) =>
    `Esta mensagem foi enviada porque existe uma conta de ${email} em ${site_name}.`,
};
