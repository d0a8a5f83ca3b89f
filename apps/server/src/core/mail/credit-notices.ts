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
}

interface Text {
  title: string;
  content: string;
}
type Texts = { [Event in keyof CreditFacts]: (facts: ChangedCredits) => Text };

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
  return { credits_added: text(added), credits_taken_back: text(taken) };
}

export const creditNotices: Record<Language, Texts> = {
  en: textsIn('en'),
  de: textsIn('de'),
  pl: textsIn('pl'),
  pt: textsIn('pt'),
};
