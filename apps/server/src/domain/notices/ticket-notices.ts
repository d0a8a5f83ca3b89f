import type { Language } from '@linekeeper/contract/languages.ts';

interface Written {
  number: number;
  title: string;
  /** The writer's name. */
  name: string;
  text: string;
}

/** Values for the text of each notification about a ticket. */
export interface TicketFacts {
  new_ticket: Written;
  /** `text` is empty where only files were sent, whose names are `files`. */
  ticket_replied: Written & { files: string };
}
export type TicketEvent = keyof TicketFacts;

interface Text {
  title: string;
  content: string;
}
type Texts = { [Event in TicketEvent]: (facts: TicketFacts[Event]) => Text };

/** The subject of one mail about several messages, tickets and replies. */
export const gatheredTitle: Record<Language, (count: number) => string> = {
  en: (count) => `${count} new messages`,
  de: (count) => `${count} neue Nachrichten`,
  pl: (count) => `Nowe wiadomości: ${count}`,
  pt: (count) => `${count} mensagens novas`,
};

export const ticketNotices: Record<Language, Texts> = {
  en: {
    new_ticket: ({ number, title, name, text }) => ({
      title: `New ticket #${number}: ${title}`,
      content: `${name}: ${text}`,
    }),
    ticket_replied: ({ number, title, name, text, files }) => ({
      title: `Reply to ticket #${number}: ${title}`,
      content: `${name}: ${text || `Attached: ${files}`}`,
    }),
  },
  de: {
    new_ticket: ({ number, title, name, text }) => ({
      title: `Neues Ticket #${number}: ${title}`,
      content: `${name}: ${text}`,
    }),
    ticket_replied: ({ number, title, name, text, files }) => ({
      title: `Antwort auf Ticket #${number}: ${title}`,
      content: `${name}: ${text || `Angehängt: ${files}`}`,
    }),
  },
  pl: {
    new_ticket: ({ number, title, name, text }) => ({
      title: `Nowe zgłoszenie #${number}: ${title}`,
      content: `${name}: ${text}`,
    }),
    ticket_replied: ({ number, title, name, text, files }) => ({
      title: `Odpowiedź na zgłoszenie #${number}: ${title}`,
      content: `${name}: ${text || `Załączono: ${files}`}`,
    }),
  },
  pt: {
    new_ticket: ({ number, title, name, text }) => ({
      title: `Novo pedido #${number}: ${title}`,
      content: `${name}: ${text}`,
    }),
    ticket_replied: ({ number, title, name, text, files }) => ({
      title: `Resposta ao pedido #${number}: ${title}`,
      content: `${name}: ${text || `Em anexo: ${files}`}`,
    }),
  },
};
