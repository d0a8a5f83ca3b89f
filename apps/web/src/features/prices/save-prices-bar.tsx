import { useTranslation } from 'react-i18next';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import { FootBar } from '#kit/page/foot-bar.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import type { Prices } from './prices-form.ts';
import { type EnteredTerm, type TermChange, termChanges } from './term-changes.ts';
import { useTermName } from './terms-card.tsx';

interface Entered {
  terms: readonly EnteredTerm[];
  trial_limit: unknown;
  trial_days: unknown;
}

interface SavePricesBarProps {
  formId: string;
  stored: Prices;
  entered: Entered;
  isPending: boolean;
  onDiscard: () => void;
}

/** The bar with the unsaved changes, shown while there are any. */
export function SavePricesBar(props: SavePricesBarProps) {
  const { formId, stored, entered, isPending, onDiscard } = props;
  const { t } = useTranslation('prices');
  const isPhone = useIsPhone();
  const changes = useChangeTexts(stored, entered);
  const [first, second] = changes;
  if (!first) return null;
  const text = second ? t('change.several', { count: changes.length }) : first;
  const isAboutTerms = termChanges(stored.terms, entered.terms).length > 0;
  const buttons = {
    save: (
      <SubmitButton form={formId} pending={isPending}>
        {t('bar.save')}
      </SubmitButton>
    ),
    discard: (
      <Button variant="text" disabled={isPending} onClick={onDiscard}>
        {t('action.discard')}
      </Button>
    ),
  };
  if (isPhone) {
    return (
      <FootBar label={t('bar.save')} summary={<span>{text}</span>}>
        {buttons.save}
        {buttons.discard}
      </FootBar>
    );
  }
  return (
    <div className="flex items-center gap-3 min-h-16 sticky bottom-4 z-2 py-3 pr-4 pl-6 rounded-card bg-paper [box-shadow:var(--shade-card),var(--shade-bar)] low:static">
      <p className="flex-1 min-w-0 wrap-anywhere">
        <b className="block type-strong">{text}</b>
        {isAboutTerms && <span className="block text-text-2 type-caption">{t('bar.text')}</span>}
      </p>
      {buttons.discard}
      {buttons.save}
    </div>
  );
}

/** A sentence for each change. */
function useChangeTexts(stored: Prices, entered: Entered): string[] {
  const { t } = useTranslation('prices');
  const termName = useTermName();
  const amount = (credits: unknown) =>
    typeof credits === 'number' ? t('credits.amount', { count: credits }) : '–';
  const textOf = (change: TermChange) => {
    if (change.kind === 'order') return t('change.order');
    const term = termName(change.months);
    if (change.kind !== 'price') return t(`change.${change.kind}`, { term });
    return t('change.price', { term, before: change.before, after: amount(change.after) });
  };
  const texts = termChanges(stored.terms, entered.terms).map(textOf);
  const { trial_limit: limit, trial_days: days } = entered;
  if (limit !== stored.trial_limit)
    texts.push(t(limit === 0 ? 'change.noTrials' : 'change.trials'));
  if (days !== stored.trial_days) {
    const after = typeof days === 'number' ? t('counted.days', { count: days }) : '–';
    texts.push(t('change.trialDays', { before: stored.trial_days, after }));
  }
  return texts;
}
