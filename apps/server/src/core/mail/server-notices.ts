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
      content: `Linien darauf: ${lines}. Verlängerungen und andere Änderungen sind gespeichert, warten und werden von selbst gesendet, sobald er wieder antwortet.`,
    }),
    lines_back: ({ name, lines, waiting }) => ({
      title: `${name} antwortet wieder`,
      content: `Linien darauf: ${lines}. Noch zu sendende Änderungen: ${waiting}.`,
    }),
  },
  pl: {
    lines_away: ({ name, lines }) => ({
      title: `Serwer ${name} nie odpowiada`,
      content: `Linie na nim: ${lines}. Przedłużenia i inne zmiany są zapisane, czekają i zostaną wysłane samoczynnie, gdy odpowie.`,
    }),
    lines_back: ({ name, lines, waiting }) => ({
      title: `Serwer ${name} znów odpowiada`,
      content: `Linie na nim: ${lines}. Zmiany jeszcze do wysłania: ${waiting}.`,
    }),
  },
  pt: {
    lines_away: ({ name, lines }) => ({
      title: `${name} não responde`,
      content: `Linhas nele: ${lines}. As renovações e outras alterações ficam guardadas, aguardam e são enviadas automaticamente quando voltar a responder.`,
    }),
    lines_back: ({ name, lines, waiting }) => ({
      title: `${name} volta a responder`,
      content: `Linhas nele: ${lines}. Alterações ainda por enviar: ${waiting}.`,
    }),
  },
};
