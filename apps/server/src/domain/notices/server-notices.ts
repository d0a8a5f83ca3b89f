import type { Language } from '@linekeeper/contract/languages.ts';

/** Values for what accounts are told that have lines on a server, themselves or below them. */
export interface ServerFacts {
  lines_away: { name: string; lines: number };
  lines_back: { name: string; lines: number; waiting: number };
}

interface Text {
  title: string;
  content: string;
}
type Texts = { [Event in keyof ServerFacts]: (facts: ServerFacts[Event]) => Text };

/** Counts stand behind a colon, so that no language has to inflect what is counted. */
export const serverNotices: Record<Language, Texts> = {
  en: {
    lines_away: ({ name, lines }) => ({
      title: `${name} is not responding`,
      content: `Lines on it: ${lines}. Renewals and other changes are saved and will be sent automatically once it responds.`,
    }),
    lines_back: ({ name, lines, waiting }) => ({
      title: `${name} is responding again`,
      content: `Lines on it: ${lines}. Changes still to be sent: ${waiting}.`,
    }),
  },
  de: {
    lines_away: ({ name, lines }) => ({
      title: `${name} antwortet nicht`,
      content: `Betroffene Linien: ${lines}. Verlängerungen und andere Änderungen werden gespeichert und automatisch gesendet, sobald der Server wieder antwortet.`,
    }),
    lines_back: ({ name, lines, waiting }) => ({
      title: `${name} antwortet wieder`,
      content: `Linien auf dem Server: ${lines}. Noch zu sendende Änderungen: ${waiting}.`,
    }),
  },
  pl: {
    lines_away: ({ name, lines }) => ({
      title: `Serwer ${name} nie odpowiada`,
      content: `Linie na serwerze: ${lines}. Przedłużenia i inne zmiany są zapisane i zostaną wysłane automatycznie, gdy serwer odpowie.`,
    }),
    lines_back: ({ name, lines, waiting }) => ({
      title: `Serwer ${name} znów odpowiada`,
      content: `Linie na serwerze: ${lines}. Zmiany oczekujące na wysłanie: ${waiting}.`,
    }),
  },
  pt: {
    lines_away: ({ name, lines }) => ({
      title: `${name} não responde`,
      content: `Linhas nele: ${lines}. As renovações e outras alterações ficam guardadas e são enviadas automaticamente quando o servidor voltar a responder.`,
    }),
    lines_back: ({ name, lines, waiting }) => ({
      title: `${name} voltou a responder`,
      content: `Linhas nele: ${lines}. Alterações ainda por enviar: ${waiting}.`,
    }),
  },
};
