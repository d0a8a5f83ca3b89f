import type { Language } from '@linekeeper/contract/languages.ts';

/** Values for the text of each kind of mail. */
export interface MailFacts {
  confirm_email: { link: string };
  /** A notification, in the language in which it was written. */
  notice: { title: string; content: string; link: string };
}
export type MailKind = keyof MailFacts;

interface Text {
  subject: string;
  text: string;
}

type Texts = { [Kind in MailKind]: (facts: MailFacts[Kind]) => Text };

/** All mails in all languages. German uses "Sie"; Polish and Portuguese avoid addressing the reader. */
export const mailTexts: Record<Language, Texts> = {
  en: {
    confirm_email: ({ link }) => ({
      subject: 'Confirm your email address',
      text: `Welcome to Linekeeper.

Open this link to confirm your email address:
${link}

The link works for an hour. After that, sign in with your password to get another one.
If you did not sign up, ignore this mail.
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
    confirm_email: ({ link }) => ({
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
      text: `Willkommen bei Linekeeper.

Öffnen Sie diesen Link, um Ihre E-Mail-Adresse zu bestätigen:
${link}

Der Link gilt eine Stunde. Melden Sie sich danach mit Ihrem Passwort an, um einen neuen zu erhalten.
Falls Sie sich nicht registriert haben, ignorieren Sie diese E-Mail.
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
    confirm_email: ({ link }) => ({
      subject: 'Potwierdzenie adresu e-mail',
      text: `Witamy w Linekeeper.

Aby potwierdzić adres e-mail, otwórz ten link:
${link}

Link działa przez godzinę. Później zaloguj się hasłem, a przyjdzie nowy.
Jeśli konto zostało założone przez kogoś innego, zignoruj tę wiadomość.
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
    confirm_email: ({ link }) => ({
      subject: 'Confirmação do endereço de e-mail',
      text: `Bem-vindo ao Linekeeper.

Para confirmar o endereço de e-mail, abra este link:
${link}

O link funciona durante uma hora. Depois disso, inicie sessão com a palavra-passe para receber outro.
Se o registo não foi feito por si, ignore esta mensagem.
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
