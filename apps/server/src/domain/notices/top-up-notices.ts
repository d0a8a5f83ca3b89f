import type { Language } from '@linekeeper/contract/languages.ts';

/** Reasons for an administrator to look at a top-up. */
type Why = 'wrong_amount' | 'paid_again' | 'paid_late' | 'owed';

interface Amount {
  minor: number;
  currency: string;
}

/** Values for the text of each notification about a top-up. */
export interface TopUpFacts {
  top_up_ordered: {
    number: string;
    email: string;
    credits: number;
    price_minor: number;
    currency: string;
  };
  top_up_flagged: { number: string; why: Why };
  top_up_approved: { number: string; credits: number };
  top_up_rejected: { number: string; reason: string };
  top_up_failed: { number: string };
  top_up_returned: { number: string; credits: number };
  top_up_restored: { number: string; credits: number };
  top_up_surplus: {
    number: string;
    why: 'wrong_amount' | 'paid_again';
    ordered: Amount;
    /** null if Stripe did not say. */
    paid: Amount | null;
  };
  top_up_surplus_returned: { number: string; paid: Amount | null };
}
export type TopUpEvent = keyof TopUpFacts;

interface Text {
  title: string;
  content: string;
}
type Texts = { [Event in TopUpEvent]: (facts: TopUpFacts[Event]) => Text };

/** Packages have two decimals; what was paid may be in any currency. */
function amountText(locale: string, amount: Amount | null): string {
  if (!amount) return '?';
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: amount.currency });
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  return format.format(amount.minor / 10 ** maximumFractionDigits);
}

function priceOf(locale: string, { price_minor, currency }: TopUpFacts['top_up_ordered']): string {
  return amountText(locale, { minor: price_minor, currency });
}

const why: Record<Language, Record<Why, string>> = {
  en: {
    wrong_amount: 'A card payment differs from what was ordered. No credits were added.',
    paid_again: 'A card payment arrived for a top-up that had already been approved.',
    paid_late: 'The top-up was declined, but then paid by card. Its credits were added.',
    owed: 'The payment was refunded, but some of its credits have already been spent.',
  },
  de: {
    wrong_amount:
      'Eine Kartenzahlung weicht von der Bestellung ab. Es wurden keine Credits gutgeschrieben.',
    paid_again: 'Für eine bereits genehmigte Aufladung ist eine Kartenzahlung eingegangen.',
    paid_late:
      'Die Aufladung war abgelehnt und wurde dann per Karte bezahlt. Die Credits wurden gutgeschrieben.',
    owed: 'Die Zahlung wurde erstattet, ein Teil der Credits ist aber schon ausgegeben.',
  },
  pl: {
    wrong_amount: 'Płatność kartą różni się od zamówienia. Nie dodano kredytów.',
    paid_again: 'Wpłynęła płatność kartą za doładowanie, które już zatwierdzono.',
    paid_late: 'Doładowanie odrzucono, a potem opłacono kartą. Kredyty zostały dodane.',
    owed: 'Płatność została zwrócona, ale część kredytów już wydano.',
  },
  pt: {
    wrong_amount:
      'Um pagamento por cartão difere do que foi encomendado. Não foram adicionados créditos.',
    paid_again: 'Foi recebido um pagamento por cartão de um carregamento já aprovado.',
    paid_late:
      'O carregamento foi recusado e depois pago por cartão. Os créditos foram adicionados.',
    owed: 'O pagamento foi reembolsado, mas parte dos créditos já foi gasta.',
  },
};

/** Polish and Portuguese avoid addressing the reader. */
export const topUpNotices: Record<Language, Texts> = {
  en: {
    top_up_surplus: ({ number, why, ordered, paid }) => ({
      title:
        why === 'paid_again'
          ? `Top-up ${number} was paid again`
          : `A different amount was paid for ${number}`,
      content: `${why === 'paid_again' ? `${amountText('en', paid)} was paid by card for a top-up that had already been approved.` : `${amountText('en', paid)} was paid by card, ${amountText('en', ordered)} was ordered.`} No credits were added for this payment. An administrator will check it.`,
    }),
    top_up_surplus_returned: ({ number, paid }) => ({
      title: `Payment for ${number} refunded`,
      content: `Refunded to the card: ${amountText('en', paid)}. The balance does not change.`,
    }),
    top_up_ordered: (order) => ({
      title: `Top-up ${order.number} ordered`,
      content: `${order.email}: credits: ${order.credits}, price: ${priceOf('en', order)}, by bank transfer.`,
    }),
    top_up_flagged: (facts) => ({
      title: `Check top-up ${facts.number}`,
      content: why.en[facts.why],
    }),
    top_up_approved: ({ number, credits }) => ({
      title: `Top-up ${number} approved`,
      content: `Credits added: ${credits}.`,
    }),
    top_up_rejected: ({ number, reason }) => ({
      title: `Top-up ${number} declined`,
      content: `Reason: ${reason}`,
    }),
    top_up_failed: ({ number }) => ({
      title: `Payment for ${number} failed`,
      content: 'The payment was not received. You can pay again in the list of top-ups.',
    }),
    top_up_returned: ({ number, credits }) => ({
      title: `Payment for ${number} was refunded or disputed`,
      content: `Credits taken back: ${credits}.`,
    }),
    top_up_restored: ({ number, credits }) => ({
      title: `Payment for ${number} is valid again`,
      content: `Credits added again: ${credits}.`,
    }),
  },
  de: {
    top_up_surplus: ({ number, why, ordered, paid }) => ({
      title:
        why === 'paid_again'
          ? `Aufladung ${number} wurde noch einmal bezahlt`
          : `Für ${number} wurde ein anderer Betrag bezahlt`,
      content: `${why === 'paid_again' ? `${amountText('de', paid)} gingen per Karte für eine bereits genehmigte Aufladung ein.` : `${amountText('de', paid)} gingen per Karte ein, bestellt waren ${amountText('de', ordered)}.`} Für diese Zahlung wurden keine Credits gutgeschrieben. Ein Administrator prüft sie.`,
    }),
    top_up_surplus_returned: ({ number, paid }) => ({
      title: `Zahlung zu ${number} erstattet`,
      content: `Auf die Karte erstattet: ${amountText('de', paid)}. Der Kontostand bleibt unverändert.`,
    }),
    top_up_ordered: (order) => ({
      title: `Aufladung ${order.number} bestellt`,
      content: `${order.email}: Credits: ${order.credits}, Preis: ${priceOf('de', order)}, per Überweisung.`,
    }),
    top_up_flagged: (facts) => ({
      title: `Aufladung ${facts.number} prüfen`,
      content: why.de[facts.why],
    }),
    top_up_approved: ({ number, credits }) => ({
      title: `Aufladung ${number} genehmigt`,
      content: `Gutgeschriebene Credits: ${credits}.`,
    }),
    top_up_rejected: ({ number, reason }) => ({
      title: `Aufladung ${number} abgelehnt`,
      content: `Grund: ${reason}`,
    }),
    top_up_failed: ({ number }) => ({
      title: `Zahlung zu ${number} fehlgeschlagen`,
      content:
        'Es ist kein Geld eingegangen. In der Liste der Aufladungen können Sie erneut bezahlen.',
    }),
    top_up_returned: ({ number, credits }) => ({
      title: `Zahlung zu ${number} wurde erstattet oder angefochten`,
      content: `Zurückgeholte Credits: ${credits}.`,
    }),
    top_up_restored: ({ number, credits }) => ({
      title: `Zahlung zu ${number} gilt wieder`,
      content: `Erneut gutgeschriebene Credits: ${credits}.`,
    }),
  },
  pl: {
    top_up_surplus: ({ number, why, ordered, paid }) => ({
      title:
        why === 'paid_again'
          ? `Doładowanie ${number} opłacono ponownie`
          : `Za doładowanie ${number} zapłacono inną kwotę`,
      content: `${why === 'paid_again' ? `Zapłacono kartą ${amountText('pl', paid)} za doładowanie, które już zatwierdzono.` : `Zapłacono kartą ${amountText('pl', paid)}, a zamówienie opiewało na ${amountText('pl', ordered)}.`} Za tę płatność nie dodano kredytów. Sprawdza ją administrator.`,
    }),
    top_up_surplus_returned: ({ number, paid }) => ({
      title: `Zwrócono płatność za doładowanie ${number}`,
      content: `Zwrócono na kartę: ${amountText('pl', paid)}. Saldo się nie zmienia.`,
    }),
    top_up_ordered: (order) => ({
      title: `Zamówiono doładowanie ${order.number}`,
      content: `${order.email}: kredyty: ${order.credits}, cena: ${priceOf('pl', order)}, przelewem.`,
    }),
    top_up_flagged: (facts) => ({
      title: `Sprawdź doładowanie ${facts.number}`,
      content: why.pl[facts.why],
    }),
    top_up_approved: ({ number, credits }) => ({
      title: `Zatwierdzono doładowanie ${number}`,
      content: `Dodane kredyty: ${credits}.`,
    }),
    top_up_rejected: ({ number, reason }) => ({
      title: `Odrzucono doładowanie ${number}`,
      content: `Powód: ${reason}`,
    }),
    top_up_failed: ({ number }) => ({
      title: `Płatność za doładowanie ${number} nie powiodła się`,
      content: 'Płatność nie wpłynęła. Można zapłacić ponownie na liście doładowań.',
    }),
    top_up_returned: ({ number, credits }) => ({
      title: `Płatność za doładowanie ${number} została zwrócona lub zakwestionowana`,
      content: `Odebrane kredyty: ${credits}.`,
    }),
    top_up_restored: ({ number, credits }) => ({
      title: `Płatność za doładowanie ${number} znów jest ważna`,
      content: `Ponownie dodane kredyty: ${credits}.`,
    }),
  },
  pt: {
    top_up_surplus: ({ number, why, ordered, paid }) => ({
      title:
        why === 'paid_again'
          ? `O carregamento ${number} foi pago outra vez`
          : `Foi pago um valor diferente por ${number}`,
      content: `${why === 'paid_again' ? `Recebido por cartão: ${amountText('pt-PT', paid)}, de um carregamento já aprovado.` : `Recebido por cartão: ${amountText('pt-PT', paid)}; a encomenda era de ${amountText('pt-PT', ordered)}.`} Não foram adicionados créditos por este pagamento. Um administrador vai verificá-lo.`,
    }),
    top_up_surplus_returned: ({ number, paid }) => ({
      title: `Pagamento de ${number} reembolsado`,
      content: `Reembolsado para o cartão: ${amountText('pt-PT', paid)}. O saldo não muda.`,
    }),
    top_up_ordered: (order) => ({
      title: `Carregamento ${order.number} encomendado`,
      content: `${order.email}: créditos: ${order.credits}, preço: ${priceOf('pt-PT', order)}, por transferência bancária.`,
    }),
    top_up_flagged: (facts) => ({
      title: `Verificar o carregamento ${facts.number}`,
      content: why.pt[facts.why],
    }),
    top_up_approved: ({ number, credits }) => ({
      title: `Carregamento ${number} aprovado`,
      content: `Créditos adicionados: ${credits}.`,
    }),
    top_up_rejected: ({ number, reason }) => ({
      title: `Carregamento ${number} recusado`,
      content: `Motivo: ${reason}`,
    }),
    top_up_failed: ({ number }) => ({
      title: `O pagamento de ${number} falhou`,
      content: 'O pagamento não foi recebido. Pode pagar de novo na lista de carregamentos.',
    }),
    top_up_returned: ({ number, credits }) => ({
      title: `O pagamento de ${number} foi reembolsado ou contestado`,
      content: `Créditos recuperados: ${credits}.`,
    }),
    top_up_restored: ({ number, credits }) => ({
      title: `O pagamento de ${number} voltou a ser válido`,
      content: `Créditos adicionados de novo: ${credits}.`,
    }),
  },
};
