import type { Language } from '@linekeeper/contract/languages.ts';

/** Values for the text of each kind of mail. */
export interface MailFacts {
  confirm_email: { link: string };
  confirm_new_email: { link: string };
  /** To the address that the account still has. */
  email_change_asked: { new_email: string };
  /** To the address that the account had. */
  email_changed: { new_email: string };
  two_factor_on: null;
  two_factor_off: null;
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
    confirm_new_email: ({ link }) => ({
      subject: 'Confirm your new email address',
      text: `Open this link to sign in to Linekeeper with this address from now on:
${link}

The link works for an hour. Until then, the old address stays.
If you did not ask for this, ignore this mail.
`,
    }),
    email_change_asked: ({ new_email }) => ({
      subject: 'Your email address is to be changed',
      text: `Somebody signed in to your account asked to change its email address to ${new_email}.
It changes once that address is confirmed.

If it was not you, change your password now: that stops it.
`,
    }),
    email_changed: ({ new_email }) => ({
      subject: 'Your email address was changed',
      text: `The email address of your account is now ${new_email}. You sign in with it from now on.

If it was not you, tell the administrator at once.
`,
    }),
    two_factor_on: () => ({
      subject: 'Two-factor sign-in was turned on',
      text: `Signing in to your account now needs a code besides the password.

If it was not you, tell the administrator at once.
`,
    }),
    two_factor_off: () => ({
      subject: 'Two-factor sign-in was turned off',
      text: `Signing in to your account now needs the password only.

If it was not you, change your password now and turn two-factor sign-in on again.
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
    confirm_new_email: ({ link }) => ({
      subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse',
      text: `Öffnen Sie diesen Link, um sich bei Linekeeper künftig mit dieser Adresse anzumelden:
${link}

Der Link gilt eine Stunde. Bis dahin bleibt es bei der bisherigen Adresse.
Falls Sie das nicht angefordert haben, ignorieren Sie diese E-Mail.
`,
    }),
    email_change_asked: ({ new_email }) => ({
      subject: 'Ihre E-Mail-Adresse soll geändert werden',
      text: `In Ihrem Konto wurde angefordert, die E-Mail-Adresse in ${new_email} zu ändern.
Sie ändert sich, sobald diese Adresse bestätigt ist.

Falls Sie das nicht waren, ändern Sie jetzt Ihr Passwort: Damit ist die Änderung hinfällig.
`,
    }),
    email_changed: ({ new_email }) => ({
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      text: `Die E-Mail-Adresse Ihres Kontos lautet jetzt ${new_email}. Melden Sie sich von nun an mit ihr an.

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
    confirm_new_email: ({ link }) => ({
      subject: 'Potwierdzenie nowego adresu e-mail',
      text: `Aby od teraz logować się do Linekeeper tym adresem, otwórz ten link:
${link}

Link działa przez godzinę. Do tego czasu obowiązuje dotychczasowy adres.
Jeśli zmiana została zlecona przez kogoś innego, zignoruj tę wiadomość.
`,
    }),
    email_change_asked: ({ new_email }) => ({
      subject: 'Zlecono zmianę adresu e-mail',
      text: `Na koncie zlecono zmianę adresu e-mail na ${new_email}.
Adres zmieni się, gdy zostanie potwierdzony.

Jeśli zmiana została zlecona przez kogoś innego, zmień teraz hasło: to ją zatrzyma.
`,
    }),
    email_changed: ({ new_email }) => ({
      subject: 'Adres e-mail został zmieniony',
      text: `Adres e-mail konta to teraz ${new_email}. Od tej pory loguj się tym adresem.

Jeśli adres został zmieniony przez kogoś innego, natychmiast zawiadom administratora.
`,
    }),
    two_factor_on: () => ({
      subject: 'Logowanie dwuetapowe zostało włączone',
      text: `Logowanie do konta wymaga teraz kodu oprócz hasła.

Jeśli włączył je ktoś inny, natychmiast zawiadom administratora.
`,
    }),
    two_factor_off: () => ({
      subject: 'Logowanie dwuetapowe zostało wyłączone',
      text: `Do logowania na konto wystarcza teraz samo hasło.

Jeśli wyłączył je ktoś inny, zmień teraz hasło i ponownie włącz logowanie dwuetapowe.
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
    confirm_new_email: ({ link }) => ({
      subject: 'Confirmação do novo endereço de e-mail',
      text: `Para passar a iniciar sessão no Linekeeper com este endereço, abra este link:
${link}

O link funciona durante uma hora. Até lá, mantém-se o endereço anterior.
Se isto não partiu de si, ignore esta mensagem.
`,
    }),
    email_change_asked: ({ new_email }) => ({
      subject: 'O endereço de e-mail vai ser alterado',
      text: `Nesta conta foi iniciada a alteração do endereço de e-mail para ${new_email}.
O endereço muda assim que for confirmado.

Se isto não partiu de si, altere já a palavra-passe: isso trava a alteração.
`,
    }),
    email_changed: ({ new_email }) => ({
      subject: 'O endereço de e-mail foi alterado',
      text: `O endereço de e-mail da conta é agora ${new_email}. A partir de agora, inicie sessão com ele.

Se a alteração não foi feita por si, avise de imediato o administrador.
`,
    }),
    two_factor_on: () => ({
      subject: 'A autenticação de dois fatores foi ativada',
      text: `Iniciar sessão na conta exige agora um código além da palavra-passe.

Se a alteração não foi feita por si, avise de imediato o administrador.
`,
    }),
    two_factor_off: () => ({
      subject: 'A autenticação de dois fatores foi desativada',
      text: `Para iniciar sessão na conta basta agora a palavra-passe.

Se a alteração não foi feita por si, altere já a palavra-passe e volte a ativar a autenticação de dois fatores.
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
