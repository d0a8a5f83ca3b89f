import type { MailTexts } from './mail-kinds.ts';

export const pl: MailTexts = {
  confirm_email: ({ link, name }, site_name) => ({
    subject: 'Potwierdzenie adresu e-mail',
    text: `Witamy w panelu ${site_name}.
${name && `Nazwa podana podczas rejestracji: ${name}\n`}
Aby potwierdzić adres e-mail, otwórz ten link:
${link}

W innej przeglądarce niż ta, w której odbyła się rejestracja, wpisz wybrane wtedy hasło.
Link działa przez godzinę. Później zaloguj się hasłem, aby otrzymać nowy.
Jeśli konto zostało założone przez kogoś innego, zignoruj tę wiadomość.
`,
  }),
  reset_password: ({ link, email }, site_name) => ({
    subject: 'Ustawianie nowego hasła',
    text: `Ktoś poprosił o nowe hasło do konta ${email} w panelu ${site_name}.

Aby je ustawić, otwórz ten link:
${link}

Link działa jeden raz, przez godzinę, i traci ważność po utworzeniu nowszego.
Jeśli prośba pochodzi od kogoś innego, zignoruj tę wiadomość. Hasło się nie zmieni.
`,
  }),
  confirm_new_email: ({ link }, site_name) => ({
    subject: 'Potwierdzenie nowego adresu e-mail',
    text: `Aby od teraz logować się do panelu ${site_name} tym adresem, otwórz ten link:
${link}

Link działa przez godzinę. Do tego czasu obowiązuje dotychczasowy adres.
Jeśli zmiana została zlecona przez kogoś innego, zignoruj tę wiadomość.
`,
  }),
  email_change_asked: ({ new_email }) => ({
    subject: 'Zlecono zmianę adresu e-mail',
    text: `Na koncie zlecono zmianę adresu e-mail na ${new_email}.
Adres zmieni się, gdy zostanie potwierdzony.

Jeśli zmiana została zlecona przez kogoś innego, zmień teraz hasło: anuluje to zmianę adresu.
`,
  }),
  email_changed: ({ new_email }) => ({
    subject: 'Adres e-mail został zmieniony',
    text: `Adres e-mail konta to teraz ${new_email}. Od tej pory loguj się tym adresem.

Jeśli adres został zmieniony przez kogoś innego, od razu powiadom administratora.
`,
  }),
  two_factor_on: () => ({
    subject: 'Logowanie dwuetapowe zostało włączone',
    text: `Logowanie na konto wymaga teraz kodu oprócz hasła.

Jeśli zmiany dokonał ktoś inny, od razu powiadom administratora.
`,
  }),
  two_factor_off: () => ({
    subject: 'Logowanie dwuetapowe zostało wyłączone',
    text: `Do logowania na konto wystarcza teraz samo hasło.

Jeśli zmiany dokonał ktoś inny, zmień teraz hasło i ponownie włącz logowanie dwuetapowe.
`,
  }),
  two_factor_removed: () => ({
    subject: 'Administrator wyłączył logowanie dwuetapowe',
    text: `Administrator wyłączył logowanie dwuetapowe na koncie i zakończył wszystkie jego sesje.
Do logowania wystarcza teraz samo hasło.

Jeśli to była prośba właściciela konta, zaloguj się i włącz logowanie dwuetapowe ponownie na nowym telefonie.
Jeśli nie, zmień teraz hasło i od razu powiadom administratora.
`,
  }),
  contact_answer: ({ name, subject, message, answer }, site_name) => ({
    subject: `Re: ${subject}`,
    text: `Dzień dobry, ${name},

odpowiedź z panelu ${site_name}:

${answer}

Wysłana wiadomość:

${message}
`,
  }),
  notice: ({ title, content, link, is_conversation }) => ({
    subject: title,
    text: `${content}

${is_conversation ? 'Odpowiedzi na tę wiadomość nikt nie czyta. Odpowiedz w panelu:\n' : ''}${link}

Takie wiadomości można wyłączyć w ustawieniach.
`,
  }),
};
