import type { Language } from '@linekeeper/contract/languages.ts';

/** Values for the text of the notification that customers must enter another address. */
export interface AddressFacts {
  /** Lines of one owner; `named` are the first of them. */
  address_changed: {
    count: number;
    named: string[];
    /** As host:port; null where not all had the same or not all have the same now. */
    addresses: { old_address: string; new_address: string } | null;
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
        ? '1 customer must change the address'
        : `${count} customers must change the address`,
    addresses: (old, next) => `Old: ${old}. New: ${next}.`,
    lines: 'Lines',
    more: (rest) => `and ${rest} more`,
  },
  de: {
    title: (count) =>
      count === 1 ? '1 Kunde muss die Adresse ändern' : `${count} Kunden müssen die Adresse ändern`,
    addresses: (old, next) => `Alt: ${old}. Neu: ${next}.`,
    lines: 'Linien',
    more: (rest) => `und ${rest} weitere`,
  },
  pl: {
    title: (count) =>
      count === 1 ? '1 klient musi zmienić adres' : `Klienci, którzy muszą zmienić adres: ${count}`,
    addresses: (old, next) => `Stary: ${old}. Nowy: ${next}.`,
    lines: 'Linie',
    more: (rest) => `oraz kolejne: ${rest}`,
  },
  pt: {
    title: (count) =>
      count === 1
        ? '1 cliente tem de mudar o endereço'
        : `${count} clientes têm de mudar o endereço`,
    addresses: (old, next) => `Antigo: ${old}. Novo: ${next}.`,
    lines: 'Linhas',
    more: (rest) => `e mais ${rest}`,
  },
};

function textsIn(language: Language): Texts {
  const { title, addresses: both, lines, more } = words[language];
  return {
    address_changed: ({ count, named, addresses }) => {
      const rest = count - named.length;
      const names = `${named.join(', ')}${rest > 0 ? ` ${more(rest)}` : ''}`;
      const told = addresses ? `${both(addresses.old_address, addresses.new_address)} ` : '';
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
