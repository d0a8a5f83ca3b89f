import {
  type ActivationCode,
  createActivationCodes,
  MAX_ACTIVATION_CODES_AT_ONCE,
} from '@linekeeper/contract/credits/activation-codes.ts';
import { useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { useId, useState } from 'react';
import { type Control, useController, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { BalanceRows, left } from '#domain/prices/balance-rows.tsx';
import { isShort } from '#domain/prices/is-short.ts';
import { PlanInput } from '#domain/prices/plan-cards.tsx';
import { plansQuery, usePlansOnSale } from '#domain/prices/plans.ts';
import {
  allPricesQuery,
  priceIn,
  termOnSale,
  termsOf,
  usePriceOf,
  useTerms,
} from '#domain/prices/prices.ts';
import { RequiredMark } from '#kit/forms/fields/field-frame.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { useFieldErrorText } from '#kit/forms/fields/use-field.ts';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { PlainList } from '#kit/list/plain-list.tsx';
import { InfoDialog } from '#kit/overlays/dialogs/dialog-parts.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { useCopy } from '#kit/ui/buttons/use-copy-text.tsx';
import { RadioPill } from '#kit/ui/controls/pills.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useMe } from '#platform/data/session.ts';
import { usePrintedCards } from './cards-sheet.tsx';

type Values = z.input<typeof createActivationCodes.body>;
type Sent = z.output<typeof createActivationCodes.body>;

/** The dialog that makes codes, and then shows them. */
export function MakeCodes({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<ActivationCode[]>();
  const { isPending: isReadingPlans } = useQuery(plansQuery());
  const { isPending: isReadingPrices } = useQuery(allPricesQuery());
  // The dialog needs both, because it opens with the first plan and duration chosen.
  if (isReadingPlans || isReadingPrices) return null;
  if (made) return <MadeCodes codes={made} onClose={onClose} />;
  return <MakeDialog onMade={setMade} onClose={onClose} />;
}

interface MakeDialogProps {
  onMade: (codes: ActivationCode[]) => void;
  onClose: () => void;
}

function MakeDialog({ onMade, onClose }: MakeDialogProps) {
  const { t } = useTranslation('activationCodes');
  const { t: redeemCodes } = useTranslation('redeemCodes');
  const { is_admin, credits } = useMe();
  const plans = usePlansOnSale();
  const [plan] = plans;
  const terms = useTerms(plan?.id);
  const { data: prices = [] } = useQuery(allPricesQuery());
  const totalOf = ({ plan_id, months, count }: Values): number | undefined => {
    const cost = priceIn(prices, months, plan_id);
    const number = createActivationCodes.body.shape.count.safeParse(Number(count)).data;
    return cost === undefined || number === undefined ? undefined : cost * number;
  };
  const { form, field, submission } = useCommandForm(createActivationCodes, {
    refreshes: ['activation-codes', 'me', 'transfers'],
    defaultValues: { count: 1, note: '', plan_id: plan?.id, months: termOnSale(null, terms) },
    bodyOf: (values) => ({ ...values, quoted_cost: is_admin ? undefined : totalOf(values) }),
    done: ({ codes }) => onMade(codes),
    fieldOfCode: { PLAN_NOT_FOUND: 'plan_id', PLAN_NOT_OFFERED: 'plan_id' },
    isGuarded: false,
  });
  const values = useWatch({ control: form.control }) as Values;
  const total = totalOf(values);
  const isTooDear = !is_admin && total !== undefined && isShort({ cost: total, balance: credits });
  return (
    <FormDialog
      submission={submission}
      title={t('nav.addCodes')}
      text={t('make.text')}
      submitLabel={
        is_admin || total === undefined
          ? t('nav.addCodes')
          : t('make.submit', { credits: t('credits.amount', { count: total }) })
      }
      blocked={isTooDear ? t('make.short') : undefined}
      isWide
      onClose={onClose}
    >
      <PlanInput
        control={form.control}
        onChosen={(id) =>
          form.setValue('months', termOnSale(values.months, termsOf(prices, id)) ?? 0)
        }
      />
      <Terms control={form.control} planId={values.plan_id} />
      <TextInput
        {...field('count')}
        label={redeemCodes('form.count')}
        hint={t('make.countHint', { maximum: MAX_ACTIVATION_CODES_AT_ONCE })}
        type="number"
        required
      />
      <TextInput {...field('note')} label={t('field.note')} hint={t('make.noteHint')} />
      {!is_admin && (
        <BalanceRows
          rows={[
            { label: t('field.balance'), value: credits },
            { label: t('field.cost'), value: total === undefined ? undefined : -total },
            { label: t('field.balanceAfter'), value: left(credits, total) },
          ]}
        />
      )}
    </FormDialog>
  );
}

type MakeControl = Control<Values, unknown, Sent>;

function Terms({ control, planId }: { control: MakeControl; planId: string | undefined }) {
  const { t } = useTranslation('activationCodes');
  const id = useId();
  const { is_admin } = useMe();
  const terms = useTerms(planId) ?? [];
  const priceOf = usePriceOf(planId);
  const { field, fieldState } = useController({ control, name: 'months' });
  const problem = useFieldErrorText()(fieldState.error);
  return (
    <fieldset aria-describedby={problem ? `${id}-problem` : undefined}>
      <legend className="mb-2 type-strong">
        {t('field.duration')}
        <RequiredMark />
      </legend>
      <div className="flex flex-wrap gap-2">
        {terms.map((months) => (
          <RadioPill
            key={months}
            size="medium"
            name={id}
            checked={months === field.value}
            onChange={() => field.onChange(months)}
          >
            {t('credits.months', { count: months })}
            {!is_admin && (
              <span className="text-text-2 type-caption">
                {t('credits.amount', { count: priceOf(months) ?? 0 })}
              </span>
            )}
          </RadioPill>
        ))}
      </div>
      {problem && (
        <p id={`${id}-problem`} role="alert" className="mt-1 type-caption text-error-fg">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

interface MadeCodesProps {
  codes: readonly ActivationCode[];
  onClose: () => void;
}

function MadeCodes({ codes, onClose }: MadeCodesProps) {
  const { t } = useTranslation('activationCodes');
  const { t: redeemCodes } = useTranslation('redeemCodes');
  const id = useId();
  const { copy, isCopied } = useCopy(async () => codes.map(({ code }) => code).join('\n'));
  const { sheet, print } = usePrintedCards();
  return (
    <InfoDialog
      title={<span id={id}>{redeemCodes('made.title', { count: codes.length })}</span>}
      actions={
        <>
          <Button icon={<Printer aria-hidden="true" />} onClick={() => print(codes)}>
            {t('print.action')}
          </Button>
          <Button variant="solid" onClick={copy}>
            {isCopied ? t('copy.done') : t('recurring.copyAll')}
          </Button>
        </>
      }
      onClose={onClose}
    >
      <div className="mt-4">
        <PlainList labelledBy={id}>
          {codes.map(({ id: key, code }) => (
            <li key={key}>
              <TypedText>{code}</TypedText>
            </li>
          ))}
        </PlainList>
      </div>
      {sheet}
    </InfoDialog>
  );
}
