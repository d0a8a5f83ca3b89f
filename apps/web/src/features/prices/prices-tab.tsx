import { editPlan, type Plan } from '@linekeeper/contract/credits/plans.ts';
import { editSettings, getSettings } from '@linekeeper/contract/settings.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type Command, useCommand } from '#kit/commands/use-command.ts';
import { changedFields } from '#kit/forms/changed-fields.ts';
import { Form } from '#kit/forms/form.tsx';
import { FormProblems } from '#kit/forms/form-problems.tsx';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import { useContractForm } from '#kit/forms/use-contract-form.ts';
import { useSubmit } from '#kit/forms/use-submit.ts';
import { FootBar } from '#kit/page/foot-bar.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { SwitchRow } from '#kit/ui/controls/switch-row.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { results } from '#platform/state/results.ts';
import { useFactorText } from './factor.ts';
import { type Prices, type PricesFormOf, pricesForm } from './prices-form.ts';
import { plansQuery, priceListsQuery } from './queries.ts';
import { type EnteredTerm, type TermChange, termChanges } from './term-changes.ts';
import { TermsCard, useTermName } from './terms-card.tsx';
import { UnitInput } from './unit-input.tsx';
import { useStoredPlan } from './use-stored-plan.ts';

/** The prices of the panel, for administrators. */
export function PricesTab() {
  const plans = useQuery(plansQuery());
  const settings = useQuery(callQuery('settings', getSettings));
  const { plan: id } = useSearch({ from: '/shell/payments/plans' });
  const plan = plans.data?.items.find((one) => one.id === id) ?? plans.data?.items[0];
  const { trial_limit, trial_days } = settings.data ?? {};
  const stored = useMemo(
    () =>
      plan && trial_limit !== undefined && trial_days !== undefined
        ? { terms: plan.terms, trial_limit, trial_days }
        : undefined,
    [plan, trial_limit, trial_days],
  );
  if (plan && stored) return <PricesForm key={plan.id} plan={plan} stored={stored} />;
  const failed = [plans, settings].find(({ error }) => error);
  return (
    <Card flush className="min-h-120">
      {failed && <FailedPanel error={failed.error} onRetry={() => void failed.refetch()} />}
    </Card>
  );
}

const FORM_ID = 'prices';

function PricesForm({ plan, stored }: { plan: Plan; stored: Prices }) {
  const { t } = useTranslation('prices');
  const form: PricesFormOf = useContractForm({ schema: pricesForm, defaultValues: stored });
  const version = useStoredPlan(form, stored, plan);
  const submission = useSubmit({
    form,
    command: useSavePrices(plan.id, version),
    bodyOf: (values) => changedFields(values, form.getValues(), stored),
    done: () => results.success(t('bar.saved')),
  });
  return (
    <Form
      id={FORM_ID}
      submission={submission}
      label={t('credits.prices')}
      className="[--covered-bottom:88px] grid grid-cols-1 gap-6 phone:[--covered-bottom:0px] phone:gap-4"
    >
      <FormProblems form={form} />
      <div className="grid grid-cols-[minmax(0,664fr)_minmax(0,392fr)] items-start gap-6 tablet:grid-cols-1 phone:gap-4">
        <TermsCard form={form} plan={plan} />
        <div className="grid grid-cols-1 gap-6 phone:gap-4">
          <TrialsCard form={form} storedLimit={stored.trial_limit} />
          <PayersCard />
        </div>
      </div>
      <SavePricesBar
        formId={FORM_ID}
        stored={stored}
        entered={form.watch()}
        isPending={submission.isPending}
        onDiscard={() => form.reset(stored)}
      />
    </Form>
  );
}

/** Saves the changed parts: first the terms of the plan, and then the settings of trials. */
function useSavePrices(id: string, from_updated_at: string): Command<Partial<Prices>, unknown> {
  const plan = useCommand(editPlan, {
    params: { id },
    refreshes: ['credits', 'lines'],
    waits: true,
  });
  const settings = useCommand(editSettings, { refreshes: ['settings'], waits: true });
  return {
    ...plan,
    isPending: plan.isPending || settings.isPending,
    send: async (changes, { done, refused } = {}) => {
      const { terms, ...trials } = changes;
      const finish = (reply: unknown) => done?.(reply, changes);
      const saveTrials = () =>
        Object.keys(trials).length > 0
          ? settings.send(trials, { refused, done: finish })
          : finish(undefined);
      if (terms) await plan.send({ terms, from_updated_at }, { refused, done: saveTrials });
      else await saveTrials();
    },
  };
}

/** The number of trials per account, if no number from before they were switched off is known. */
const FIRST_LIMIT = 5;

function TrialsCard({ form, storedLimit }: { form: PricesFormOf; storedLimit: number }) {
  const { t } = useTranslation('prices');
  const { control, setValue, watch } = form;
  const days = t('units.days', { count: Number(watch('trial_days')) || 0 });
  // Switched-off trials are stored as a limit of 0, so only this form knows the former number.
  const limit = useRef(FIRST_LIMIT);
  if (storedLimit > 0) limit.current = storedLimit;
  return (
    <Card title={t('view.trials')}>
      <SwitchRow
        label={t('trials.given')}
        hint={
          <Link to="/settings" hash="trials" className="link relative z-1">
            {t('trials.limits')}
          </Link>
        }
        checked={watch('trial_limit') > 0}
        onChange={(isOn) =>
          setValue('trial_limit', isOn ? limit.current : 0, { shouldDirty: true })
        }
      />
      <div className="flex items-center justify-between gap-4 pt-2 border-t border-t-divider">
        <b className="type-strong">{t('trials.lasts')}</b>
        <div className="w-28">
          <UnitInput control={control} name="trial_days" label={t('trials.lasts')} unit={days} />
        </div>
      </div>
    </Card>
  );
}

/** Price lists shown beside the prices, at most; the tab has all of them. */
const PAYERS_SHOWN = 5;

/** The first lists whose accounts pay other prices, and a link to all of them. */
function PayersCard() {
  const { t } = useTranslation('prices');
  const factorText = useFactorText();
  const { data } = useQuery(priceListsQuery());
  if (!data || data.items.length === 0) return null;
  const count = data.items.length;
  return (
    <Card flush title={t('payers.title')} className="pb-2">
      <ul className="divided mt-2">
        {data.items.slice(0, PAYERS_SHOWN).map(({ id, name, factor, account_count }) => (
          <li key={id} className="flex items-center gap-4 min-h-16 px-(--card-pad) py-3">
            <span className="flex-1 min-w-0 wrap-anywhere">
              <b className="block type-strong">
                <TypedText>{name}</TypedText> {factor !== null && factorText(factor)}
              </b>
              <span className="block text-text-2 type-caption">
                {t('lists.accounts', { count: account_count })}
              </span>
            </span>
            <Link
              to="/payments/plans"
              search={{ tab: 'lists' }}
              className="link"
              aria-label={t('described', { label: name, value: t('bell.open') })}
            >
              {t('bell.open')}
            </Link>
          </li>
        ))}
      </ul>
      {count > PAYERS_SHOWN && (
        <Link
          to="/payments/plans"
          search={{ tab: 'lists' }}
          className="link block px-(--card-pad) py-3 border-t border-t-divider"
        >
          {t('described', { label: t('tabs.lists'), value: t('number', { value: count }) })}
        </Link>
      )}
    </Card>
  );
}

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
function SavePricesBar(props: SavePricesBarProps) {
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
