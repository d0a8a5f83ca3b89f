import type { Day } from '@linekeeper/contract/dates.ts';
import { formatDay } from '@linekeeper/contract/dates.ts';
import type { Language } from '@linekeeper/contract/languages.ts';
import type { NotificationKind } from '@linekeeper/contract/notifications.ts';
import { type AddressFacts, addressNotices } from './address-notices.ts';
import { type CreditFacts, creditNotices } from './credit-notices.ts';
import { type ServerFacts, serverNotices } from './server-notices.ts';
import { type TicketFacts, ticketNotices } from './ticket-notices.ts';
import { type TopUpEvent, type TopUpFacts, topUpNotices } from './top-up-notices.ts';

/** Values for the text of each notification. */
export interface NoticeFacts
  extends TopUpFacts,
    CreditFacts,
    TicketFacts,
    AddressFacts,
    ServerFacts {
  server_error: { name: string };
  server_returned: { name: string };
  new_account: { email: string };
  /** To whom an account, with all below it, was moved, and from whom. */
  account_moved_here: { email: string };
  account_moved_away: { email: string };
  /** Several lines of one owner; `named` are the first of them. */
  lines_expiring: { count: number; named: { username: string; expiry_date: Day }[] };
  low_balance: { credits: number; low_balance: number };
  /** Turned off by an administrator; told by a mail of its own kind, which cannot be switched off. */
  two_factor_removed: object;
  /** The first since the last backup that was made. */
  backup_failed: { folder: string };
  /** Sent by the contact form. */
  contact_received: { name: string; email: string; subject: string };
}
export type NoticeEvent = keyof NoticeFacts;

const ofTopUps = Object.keys(topUpNotices.en) as TopUpEvent[];

export function isOfTopUp(event: NoticeEvent): event is TopUpEvent {
  return event in topUpNotices.en;
}

/** Selects the icon in the list of notifications. */
export const noticeKinds: Record<NoticeEvent, NotificationKind> = {
  server_error: 'mail',
  server_returned: 'mail',
  lines_away: 'mail',
  lines_back: 'mail',
  new_account: 'friend-interactive',
  account_moved_here: 'friend-interactive',
  account_moved_away: 'friend-interactive',
  lines_expiring: 'mail',
  address_changed: 'mail',
  low_balance: 'mail',
  credits_added: 'order-placed',
  credits_taken_back: 'order-placed',
  sale_taken_back: 'order-placed',
  two_factor_removed: 'mail',
  backup_failed: 'mail',
  contact_received: 'mail',
  new_ticket: 'chat-message',
  ticket_replied: 'chat-message',
  ...(Object.fromEntries(ofTopUps.map((event) => [event, 'order-placed'])) as Record<
    TopUpEvent,
    NotificationKind
  >),
};

interface Text {
  title: string;
  content: string;
}

type Texts = { [Event in NoticeEvent]: (facts: NoticeFacts[Event]) => Text };

/** The lines that are named, each with its last day, and how many more there are. */
function listed({ count, named }: NoticeFacts['lines_expiring'], more: (rest: string) => string) {
  const lines = named.map(({ username, expiry_date }) => `${username} (${formatDay(expiry_date)})`);
  const rest = count - named.length;
  return `${lines.join(', ')}${rest > 0 ? ` ${more(String(rest))}` : ''}`;
}

/** All notifications in all languages. Polish and Portuguese avoid addressing the reader. */
export const noticeTexts: Record<Language, Texts> = {
  en: {
    ...topUpNotices.en,
    ...creditNotices.en,
    ...addressNotices.en,
    ...serverNotices.en,
    two_factor_removed: () => ({
      title: 'An administrator turned two-factor sign-in off',
      content:
        'Signing in now requires only the password, and all sessions have ended. You can turn two-factor sign-in on again in your profile.',
    }),
    backup_failed: ({ folder }) => ({
      title: 'A backup failed',
      content: `The scheduled backup to ${folder} was not made. Earlier backups are not affected. The reason is in the audit log; the panel will try again automatically.`,
    }),
    contact_received: ({ name, email, subject }) => ({
      title: `Message from ${name}`,
      content: `${subject} (${email})`,
    }),
    ...ticketNotices.en,
    server_error: ({ name }) => ({
      title: `Server error: ${name}`,
      content: `${name} failed several checks in a row. No lines are sold on it until it responds again.`,
    }),
    server_returned: ({ name }) => ({
      title: `Server is back: ${name}`,
      content: `${name} has passed several checks in a row.`,
    }),
    new_account: ({ email }) => ({
      title: `New account: ${email}`,
      content: `${email} was added below your account.`,
    }),
    account_moved_here: ({ email }) => ({
      title: `Account moved to you: ${email}`,
      content: `${email} is now below your account, with its lines and all accounts below it.`,
    }),
    account_moved_away: ({ email }) => ({
      title: `Account moved away: ${email}`,
      content: `${email} is no longer below your account, nor are its lines and the accounts below it.`,
    }),
    lines_expiring: ({ count, named }) => ({
      title: count === 1 ? '1 line expires soon' : `${count} lines expire soon`,
      content: listed({ count, named }, (rest) => `and ${rest} more`),
    }),
    low_balance: ({ credits, low_balance }) => ({
      title: 'Low balance',
      content: `Credits: ${credits}, below your limit of ${low_balance}.`,
    }),
  },
  de: {
    ...topUpNotices.de,
    ...creditNotices.de,
    ...addressNotices.de,
    ...serverNotices.de,
    two_factor_removed: () => ({
      title: 'Zwei-Faktor-Anmeldung von einem Administrator ausgeschaltet',
      content:
        'Für die Anmeldung genügt jetzt das Passwort, und alle Sitzungen wurden beendet. Die Zwei-Faktor-Anmeldung können Sie im Profil wieder einschalten.',
    }),
    backup_failed: ({ folder }) => ({
      title: 'Eine Sicherung ist fehlgeschlagen',
      content: `Die geplante Sicherung nach ${folder} wurde nicht erstellt. Frühere Sicherungen sind nicht betroffen. Der Grund steht im Protokoll; das Panel versucht es automatisch erneut.`,
    }),
    contact_received: ({ name, email, subject }) => ({
      title: `Kontaktanfrage von ${name}`,
      content: `${subject} (${email})`,
    }),
    ...ticketNotices.de,
    server_error: ({ name }) => ({
      title: `Serverfehler: ${name}`,
      content: `${name} hat mehrere Prüfungen nacheinander nicht bestanden. Bis der Server wieder antwortet, werden darauf keine Linien verkauft.`,
    }),
    server_returned: ({ name }) => ({
      title: `Server wieder erreichbar: ${name}`,
      content: `${name} hat wieder mehrere Prüfungen nacheinander bestanden.`,
    }),
    new_account: ({ email }) => ({
      title: `Neues Konto: ${email}`,
      content: `${email} wurde als untergeordnetes Konto hinzugefügt.`,
    }),
    account_moved_here: ({ email }) => ({
      title: `Konto hierher verschoben: ${email}`,
      content: `${email} ist jetzt diesem Konto untergeordnet, mit seinen Linien und allen untergeordneten Konten.`,
    }),
    account_moved_away: ({ email }) => ({
      title: `Konto von hier verschoben: ${email}`,
      content: `${email} ist diesem Konto nicht mehr untergeordnet, ebenso wenig seine Linien und untergeordneten Konten.`,
    }),
    lines_expiring: ({ count, named }) => ({
      title: count === 1 ? '1 Linie läuft bald ab' : `${count} Linien laufen bald ab`,
      content: listed({ count, named }, (rest) => `und ${rest} weitere`),
    }),
    low_balance: ({ credits, low_balance }) => ({
      title: 'Niedriger Kontostand',
      content: `Kontostand: ${credits}, unter der Grenze von ${low_balance}.`,
    }),
  },
  pl: {
    ...topUpNotices.pl,
    ...creditNotices.pl,
    ...addressNotices.pl,
    ...serverNotices.pl,
    two_factor_removed: () => ({
      title: 'Administrator wyłączył logowanie dwuetapowe',
      content:
        'Do logowania wystarcza hasło, a wszystkie sesje zostały zakończone. Logowanie dwuetapowe można ponownie włączyć w profilu.',
    }),
    backup_failed: ({ folder }) => ({
      title: 'Nie udało się utworzyć kopii zapasowej',
      content: `Zaplanowana kopia zapasowa w folderze ${folder} nie powstała. Wcześniejsze kopie pozostały bez zmian. Przyczyna jest w dzienniku zdarzeń; panel ponowi próbę automatycznie.`,
    }),
    contact_received: ({ name, email, subject }) => ({
      title: `Wiadomość: ${name}`,
      content: `${subject} (${email})`,
    }),
    ...ticketNotices.pl,
    server_error: ({ name }) => ({
      title: `Błąd serwera: ${name}`,
      content: `Serwer ${name} nie przeszedł kilku sprawdzeń z rzędu. Dopóki nie odpowie, linie nie są na nim sprzedawane.`,
    }),
    server_returned: ({ name }) => ({
      title: `Serwer znów działa: ${name}`,
      content: `Serwer ${name} przeszedł kilka sprawdzeń z rzędu.`,
    }),
    new_account: ({ email }) => ({
      title: `Nowe konto: ${email}`,
      content: `Konto ${email} zostało dodane jako konto podrzędne.`,
    }),
    account_moved_here: ({ email }) => ({
      title: `Konto przeniesione tutaj: ${email}`,
      content: `Konto ${email} jest teraz kontem podrzędnym, razem z liniami i wszystkimi swoimi kontami podrzędnymi.`,
    }),
    account_moved_away: ({ email }) => ({
      title: `Konto przeniesione gdzie indziej: ${email}`,
      content: `Konto ${email} nie jest już kontem podrzędnym, podobnie jak jego linie i konta podrzędne.`,
    }),
    lines_expiring: ({ count, named }) => ({
      title: count === 1 ? 'Wkrótce wygasa 1 linia' : `Linie, które wkrótce wygasną: ${count}`,
      content: listed({ count, named }, (rest) => `i jeszcze ${rest}`),
    }),
    low_balance: ({ credits, low_balance }) => ({
      title: 'Niskie saldo',
      content: `Kredyty: ${credits}, poniżej progu ${low_balance}.`,
    }),
  },
  pt: {
    ...topUpNotices.pt,
    ...creditNotices.pt,
    ...addressNotices.pt,
    ...serverNotices.pt,
    two_factor_removed: () => ({
      title: 'Um administrador desativou a autenticação de dois fatores',
      content:
        'Para iniciar sessão basta agora a palavra-passe. Todas as sessões foram terminadas. A autenticação de dois fatores pode voltar a ser ativada no perfil.',
    }),
    backup_failed: ({ folder }) => ({
      title: 'Uma cópia de segurança falhou',
      content: `A cópia de segurança agendada para a pasta ${folder} não foi feita. As cópias anteriores não foram afetadas. O motivo está no registo de auditoria; haverá nova tentativa automática.`,
    }),
    contact_received: ({ name, email, subject }) => ({
      title: `Mensagem de ${name}`,
      content: `${subject} (${email})`,
    }),
    ...ticketNotices.pt,
    server_error: ({ name }) => ({
      title: `Erro do servidor: ${name}`,
      content: `${name} falhou várias verificações seguidas. Até voltar a responder, não são vendidas linhas nele.`,
    }),
    server_returned: ({ name }) => ({
      title: `Servidor novamente disponível: ${name}`,
      content: `${name} passou várias verificações seguidas.`,
    }),
    new_account: ({ email }) => ({
      title: `Nova conta: ${email}`,
      content: `A conta ${email} foi adicionada como subordinada da sua.`,
    }),
    account_moved_here: ({ email }) => ({
      title: `Conta movida para a sua: ${email}`,
      content: `A conta ${email} está agora subordinada à sua, com as respetivas linhas e contas subordinadas.`,
    }),
    account_moved_away: ({ email }) => ({
      title: `Conta movida para outra: ${email}`,
      content: `A conta ${email} já não está subordinada à sua, nem as respetivas linhas e contas subordinadas.`,
    }),
    lines_expiring: ({ count, named }) => ({
      title: count === 1 ? '1 linha expira em breve' : `${count} linhas expiram em breve`,
      content: listed({ count, named }, (rest) => `e mais ${rest}`),
    }),
    low_balance: ({ credits, low_balance }) => ({
      title: 'Saldo baixo',
      content: `Créditos: ${credits}, abaixo do limite de ${low_balance}.`,
    }),
  },
};
