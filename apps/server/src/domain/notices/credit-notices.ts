import type { Language } from '@linekeeper/contract/languages.ts';

export interface ChangedCredits {
  amount: number;
  /** Afterwards; null for administrators, whose credits are not counted. */
  balance: number | null;
  note: string | null;
}

/** Values for the text of each notification that somebody else changed the account's credits. */
export interface CreditFacts {
  credits_added: ChangedCredits;
  credits_taken_back: ChangedCredits;
  /** Its server has a row by hand for the name, so the line would not have worked. */
  sale_taken_back: { username: string; refunded: number; of_import: boolean };
}

interface Text {
  title: string;
  content: string;
}
type Texts = { [Event in keyof CreditFacts]: (facts: CreditFacts[Event]) => Text };

const words: Record<
  Language,
  { added: string; taken: string; balance: string; note: string; none: string }
> = {
  en: {
    added: 'Credits added',
    taken: 'Credits taken back',
    balance: 'Balance now',
    note: 'Note',
    none: 'See the list of credits.',
  },
  de: {
    added: 'Hinzugefügte Credits',
    taken: 'Zurückgeholte Credits',
    balance: 'Kontostand jetzt',
    note: 'Notiz',
    none: 'Siehe die Liste unter „Guthaben“.',
  },
  pl: {
    added: 'Dodane kredyty',
    taken: 'Odebrane kredyty',
    balance: 'Saldo',
    note: 'Notatka',
    none: 'Zobacz listę kredytów.',
  },
  pt: {
    added: 'Créditos adicionados',
    taken: 'Créditos recuperados',
    balance: 'Saldo atual',
    note: 'Nota',
    none: 'Ver a lista de créditos.',
  },
};

type TakenBack = CreditFacts['sale_taken_back'];

/** Refunded credits are 0 where nothing was paid, as for a trial. */
const takenBack: Record<Language, (facts: TakenBack) => Text> = {
  en: ({ username, refunded, of_import }) => ({
    title: of_import ? 'Lines of an import were taken back' : `Sale taken back: ${username}`,
    content: of_import
      ? 'The card server already has rows with their usernames. These lines were removed, and what they cost was refunded. The list of the import names them.'
      : `The card server already has a row with this username, so the line would not have worked. It was removed. Credits refunded: ${refunded}.`,
  }),
  de: ({ username, refunded, of_import }) => ({
    title: of_import
      ? 'Linien eines Imports wurden zurückgenommen'
      : `Verkauf zurückgenommen: ${username}`,
    content: of_import
      ? 'Auf dem Kartenserver gibt es schon Zeilen mit diesen Benutzernamen. Die Linien wurden gelöscht, und was sie gekostet haben, wurde erstattet. Die Liste des Imports nennt sie.'
      : `Auf dem Kartenserver gibt es schon eine Zeile mit diesem Benutzernamen, die Linie hätte nicht funktioniert. Sie wurde gelöscht. Erstattete Credits: ${refunded}.`,
  }),
  pl: ({ username, refunded, of_import }) => ({
    title: of_import ? 'Cofnięto linie z importu' : `Cofnięto sprzedaż: ${username}`,
    content: of_import
      ? 'Serwer kart ma już wiersze z tymi nazwami użytkowników. Linie usunięto, a ich koszt zwrócono. Lista importu podaje ich nazwy.'
      : `Serwer kart ma już wiersz z tą nazwą użytkownika, więc linia by nie działała. Została usunięta. Zwrócone kredyty: ${refunded}.`,
  }),
  pt: ({ username, refunded, of_import }) => ({
    title: of_import ? 'Linhas de uma importação foram anuladas' : `Venda anulada: ${username}`,
    content: of_import
      ? 'O servidor de cartões já tem registos com esses utilizadores. As linhas foram eliminadas e o seu custo foi devolvido. A lista da importação indica-as.'
      : `O servidor de cartões já tem um registo com este utilizador, pelo que a linha não funcionaria. Foi eliminada. Créditos devolvidos: ${refunded}.`,
  }),
};

function textsIn(language: Language): Texts {
  const { added, taken, balance: balanceWord, note: noteWord, none } = words[language];
  const text =
    (title: string) =>
    ({ amount, balance, note }: ChangedCredits): Text => {
      const said = [
        ...(balance === null ? [] : [`${balanceWord}: ${balance}.`]),
        ...(note ? [`${noteWord}: ${note}`] : []),
      ];
      return { title: `${title}: ${amount}`, content: said.join(' ') || none };
    };
  return {
    credits_added: text(added),
    credits_taken_back: text(taken),
    sale_taken_back: takenBack[language],
  };
}

export const creditNotices: Record<Language, Texts> = {
  en: textsIn('en'),
  de: textsIn('de'),
  pl: textsIn('pl'),
  pt: textsIn('pt'),
};
