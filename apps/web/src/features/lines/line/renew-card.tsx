import { formatDay } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { ChevronUp } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OpenButton, useLineOpener } from '#domain/lines/actions.tsx';
import { RecentRenewal } from '#domain/lines/renewal/recent-renewal.tsx';
import { useRenewalTerm } from '#domain/lines/renewal/term.ts';
import { useRenewal } from '#domain/lines/renewal/use-renewal.ts';
import { isEnd } from '#domain/lines/renewal/use-renewal-quote.ts';
import { termOnSale, usePriceOf, useTerms } from '#domain/prices/prices.ts';
import { FootBar } from '#kit/page/foot-bar.tsx';
import { BoldText } from '#kit/ui/bold-text.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { CoveringInput } from '#kit/ui/controls/covering-input.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { useMe } from '#platform/data/session.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';

/** A renewal for the term that was chosen on this card, or else for the last one. */
function useCardRenewal(line: Line) {
  const { t } = useTranslation('line');
  const { term } = useRenewalTerm(line.plan_id);
  const [chosen, choose] = useState<number>();
  const terms = useTerms(line.plan_id);
  const months = chosen === undefined ? term : termOnSale(chosen, terms);
  const duration = months === undefined ? null : { subscription_months: months };
  const renewal = useRenewal(line, duration);
  const { quote, quoteError } = renewal;
  const errorText = useErrorText();
  return {
    ...renewal,
    terms,
    priceOf: usePriceOf(line.plan_id),
    months,
    /** The reason why the account may not renew any line; null if it may. */
    end: isEnd(quoteError) ? errorText(quoteError) : null,
    choose,
    price: quote ? t('credits.amount', { count: quote.cost }) : undefined,
    isFree: useMe().is_admin,
    renew: () => {
      if (duration) void renewal.send(duration);
    },
  };
}

type CardRenewal = ReturnType<typeof useCardRenewal>;

export function RenewCard({ line }: { line: Line }) {
  const { t } = useTranslation('line');
  const renewal = useCardRenewal(line);
  const price = useFallingPrice(line.plan_id);
  return (
    <section aria-label={t('action.renew')}>
      <div className="flex items-center justify-between gap-2 mb-2">
        <h2 className="type-strong">{t('action.renew')}</h2>
        <span className="text-text-2">
          {!renewal.isFree &&
            price !== undefined &&
            t('renew.perMonth', { price: t('credits.amount', { count: price }) })}
        </span>
      </div>
      <Months renewal={renewal} />
      <RecentRenewal text={renewal.recent} />
      {renewal.end === null ? (
        <Act line={line} renewal={renewal} />
      ) : (
        <Banner tone="warning" title={renewal.end} />
      )}
    </section>
  );
}

/**
 * The price and the new expiry date of the chosen term, with the button that renews for it and the
 * link to another date.
 */
function Act({ line, renewal }: { line: Line; renewal: CardRenewal }) {
  const { t } = useTranslation('line');
  const { quote } = renewal;
  return (
    <div className="flex items-center flex-wrap justify-between gap-4 mt-3">
      <div>
        <p>
          {quote && <BoldText>{t('renew.until', { day: formatDay(quote.expiry_date) })}</BoldText>}
        </p>
        <p className="text-text-2 type-caption">
          <Balance renewal={renewal} />
        </p>
      </div>
      <div className="flex items-center gap-2">
        <OpenButton line={line} action="renew" variant="text">
          {t('recurring.otherDate')}
        </OpenButton>
        <RenewOrTopUp renewal={renewal} text="renew.button" />
      </div>
    </div>
  );
}

/** The price of one month, if longer terms cost less per month; otherwise undefined. */
function useFallingPrice(planId: string): number | undefined {
  const priceOf = usePriceOf(planId);
  const terms = useTerms(planId) ?? [];
  const price = priceOf(1);
  const isFalling = terms.some((months) => (priceOf(months) ?? 0) < months * (price ?? 0));
  return isFalling ? price : undefined;
}

function Months({ renewal }: { renewal: CardRenewal }) {
  const { t } = useTranslation('line');
  const { months, choose, isFree, terms, priceOf } = renewal;
  return (
    <div
      className="grid min-h-14 grid-cols-[repeat(auto-fit,minmax(92px,1fr))] gap-2 mb-3 [&>label]:relative [&>label]:grid [&>label]:py-[7px] [&>label]:px-0.5 [&>label]:text-center [&>label]:whitespace-nowrap"
      role="radiogroup"
      aria-label={t('recurring.months')}
    >
      {terms?.map((term) => (
        <label key={term} className="choice">
          <CoveringInput
            type="radio"
            name="renewal-months"
            checked={term === months}
            onChange={() => choose(term)}
          />
          <span className="font-semibold">{t('credits.months', { count: term })}</span>
          <span className="text-text-2 type-caption">
            {isFree ? t('recurring.free') : <Price credits={priceOf(term)} />}
          </span>
        </label>
      ))}
    </div>
  );
}

/** The price, which keeps its space until prices are known. */
function Price({ credits }: { credits: number | undefined }) {
  const { t } = useTranslation();
  return credits === undefined ? '\u00a0' : t('credits.amount', { count: credits });
}

function Balance({ renewal: { quote, isFree, isShort, price } }: { renewal: CardRenewal }) {
  const { t } = useTranslation('line');
  if (isFree) return t('quote.free');
  if (!quote) return null;
  if (isShort) return t('renew.short', { price, balance: quote.balance });
  const after = t('credits.amount', { count: quote.balance - quote.cost });
  return t('renew.balance', { before: quote.balance, after });
}

/** The button to renew, or, without enough credits, the link to buy some. */
function RenewOrTopUp({
  renewal,
  text,
}: {
  renewal: CardRenewal;
  text: 'renew.button' | 'renew.buttonLong';
}) {
  const { t } = useTranslation('line');
  const { isFree, price, months } = renewal;
  if (renewal.isShort)
    return (
      <ButtonLink to="/payments/pricing" variant="solid">
        {t('places.pricing')}
      </ButtonLink>
    );
  if (months === undefined)
    return (
      <Button variant="solid" disabled>
        {t('action.renew')}
      </Button>
    );
  const duration = t('credits.months', { count: months });
  return (
    <Button
      variant="solid"
      pending={renewal.isPending}
      disabled={!renewal.quote}
      onClick={renewal.renew}
    >
      {isFree || price === undefined
        ? t('renew.buttonFree', { duration })
        : t(text, { duration, price })}
    </Button>
  );
}

/**
 * The bar with the main action of a line’s page on a phone: it renews for the usual duration, and opens a sheet with
 * the other durations.
 */
export function RenewBar({ line }: { line: Line }) {
  const { t } = useTranslation('line');
  const renewal = useCardRenewal(line);
  const opener = useLineOpener(line, 'renew');
  const { quote } = renewal;
  if (renewal.end !== null) {
    return (
      <FootBar label={t('list.actions')}>
        <Banner tone="warning" title={renewal.end} />
      </FootBar>
    );
  }
  return (
    <FootBar
      label={t('list.actions')}
      summary={
        <>
          <span>
            {quote && (
              <BoldText>{t('renew.until', { day: formatDay(quote.expiry_date) })}</BoldText>
            )}
          </span>
          <span>{renewal.recent ?? <Balance renewal={renewal} />}</span>
        </>
      }
    >
      <RenewOrTopUp renewal={renewal} text="renew.buttonLong" />
      <IconButton label={t('renew.others')} {...opener}>
        <ChevronUp size={20} />
      </IconButton>
    </FootBar>
  );
}
