import type { Language } from '@linekeeper/contract/languages.ts';

/** Values for the text of the notification that customers must enter other lines. */
export interface AddressFacts {
  /** Lines of one owner; `named` are the first of them. */
  address_changed: {
    count: number;
    named: string[];
    /** Null where not all had the same or not all have the same now. */
    entered: { old_lines: string[]; new_lines: string[] } | null;
  };
}

interface Text {
  title: string;
  content: string;
}
type Facts = AddressFacts['address_changed'];
type Texts = { address_changed: (facts: Facts) => Text };

interface Words {
  title: (count: number) => string;
  /** Both as a receiver has them. */
  addresses: (old: string, next: string) => string;
  lines: string;
  more: (rest: number) => string;
}

const words: Record<Language, Words> = {
  en: {
    title: (count) =>
      count === 1
        ? '1 customer must change receiver settings'
        : `${count} customers must change receiver settings`,
    addresses: (old, next) => `Old: ${old}. New: ${next}.`,
    lines: 'Lines',
    more: (rest) => `and ${rest} more`,
  },
  de: {
    title: (count) =>
      count === 1
        ? '1 Kunde muss den Receiver umstellen'
        : `${count} Kunden müssen ihre Receiver umstellen`,
    addresses: (old, next) => `Alt: ${old}. Neu: ${next}.`,
    lines: 'Linien',
    more: (rest) => `und ${rest} weitere`,
  },
  pl: {
    title: (count) =>
      count === 1
        ? '1 klient musi zmienić ustawienia odbiornika'
        : `Klienci, którzy muszą zmienić ustawienia odbiornika: ${count}`,
    addresses: (old, next) => `Było: ${old}. Będzie: ${next}.`,
    lines: 'Linie',
    more: (rest) => `i jeszcze ${rest}`,
  },
  pt: {
    title: (count) =>
      count === 1
        ? '1 cliente tem de reconfigurar o recetor'
        : `${count} clientes têm de reconfigurar os recetores`,
    addresses: (old, next) => `Antigo: ${old}. Novo: ${next}.`,
    lines: 'Linhas',
    more: (rest) => `e mais ${rest}`,
  },
};

function textsIn(language: Language): Texts {
  const { title, addresses: both, lines, more } = words[language];
  return {
    address_changed: ({ count, named, entered }) => {
      const rest = count - named.length;
      const names = `${named.join(', ')}${rest > 0 ? ` ${more(rest)}` : ''}`;
      const listed = (texts: string[]) => texts.join('; ') || '–';
      const told = entered ? `${both(listed(entered.old_lines), listed(entered.new_lines))} ` : '';
      return { title: title(count), content: `${told}${lines}: ${names}` };
    },
  };
}

export const addressNotices: Record<Language, Texts> = {
  en: textsIn('en'),
  de: textsIn('de'),
  pl: textsIn('pl'),
  pt: textsIn('pt'),
};
