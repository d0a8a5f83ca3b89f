import type { Account } from '@linekeeper/contract/accounts/accounts.ts';
import { type Limits, type LimitsGiven, setLimits } from '@linekeeper/contract/accounts/limits.ts';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { type UseFormReturn, useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import type { Counted } from '#domain/accounts/limits.ts';
import { usePlanName, usePlansOnSale } from '#domain/prices/plans.ts';
import { useTerms } from '#domain/prices/prices.ts';
import { InputBox } from '#kit/forms/fields/input-box.tsx';
import { SelectBox } from '#kit/forms/fields/select-input.tsx';
import { typedNumber } from '#kit/forms/fields/text-input.tsx';
import { useField } from '#kit/forms/fields/use-field.ts';
import { Form } from '#kit/forms/form.tsx';
import { FormProblems } from '#kit/forms/form-problems.tsx';
import { DayBox } from '#kit/forms/pickers/day-picker.tsx';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import type { Submission } from '#kit/forms/use-submit.ts';
import { BoldText } from '#kit/ui/bold-text.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { CheckboxField } from '#kit/ui/controls/checkbox.tsx';
import { SwitchRow } from '#kit/ui/controls/switch-row.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { changedLimits, isNear, leftOf, toldAt, valuesOf } from './limit-values.ts';

interface RowProps {
  form: FormOfLimits;
}

interface LimitsFormProps {
  account: Account;
  limits: Limits;
}

export function LimitsForm({ account, limits }: LimitsFormProps) {
  const { t } = useTranslation('account');
  const name = account.full_name || account.email;
  const stored = valuesOf(limits);
  const { form, submission } = useCommandForm(setLimits, {
    params: { id: account.id },
    refreshes: ['accounts'],
    values: stored,
    done: (saved, _, form) => beginWith(form, saved),
    doneText: () => t('saved', { name }),
  });
  return (
    <Form submission={submission} label={t('limits.title')}>
      <div className="form-width">
        <h2>{t('limits.title')}</h2>
        <p className="text-text-2">{t('limits.hint')}</p>
      </div>
      <FormProblems form={form} />
      <div className="form-width w-full -mt-3 divide-y divide-divider">
        <CountRow form={form} name="lines" counted={limits.lines} told={name} />
        <CountRow form={form} name="accounts" counted={limits.accounts} />
        <CountRow form={form} name="trials" counted={limits.trials} />
        <LongestRow form={form} />
        <PlansRow form={form} />
        <MayDeleteRow form={form} />
        <EndRow form={form} />
      </div>
      <LimitsBar
        form={form}
        stored={stored}
        submission={submission}
        onDiscard={() => beginWith(form, limits)}
      />
    </Form>
  );
}

/** Sets the stored limits and discards typed values; changes of stored limits by others keep typed values. */
const beginWith = (form: FormOfLimits, limits: Limits) =>
  form.reset(valuesOf(limits), { keepDirtyValues: false, keepErrors: false });

const labels = {
  lines: 'nav.lines',
  accounts: 'below.title',
  trials: 'limits.trials',
} as const;

interface CountRowProps extends RowProps {
  name: keyof typeof labels;
  counted: Counted;
  /** Name of the account that is notified when few are left. */
  told?: string;
}

function CountRow({ form: { control }, name, counted, told }: CountRowProps) {
  const { t } = useTranslation('account');
  const at = told === undefined ? null : toldAt(counted);
  const left = isNear(counted) && t('limits.left', { count: leftOf(counted) ?? 0 });
  const { field, frame, input } = useField({
    control,
    name,
    label: t(labels[name]),
    hint: left && (at === null ? left : `${left} ${t('limits.told', { name: told, at })}`),
  });
  const { value } = field;
  return (
    <LimitRow frame={frame} counted={counted}>
      <InputBox isInvalid={input['aria-invalid']}>
        <input
          {...input}
          name={name}
          ref={field.ref}
          type="text"
          inputMode="numeric"
          autoComplete="off"
          placeholder={t('limits.none')}
          value={String(value ?? '')}
          onBlur={field.onBlur}
          onChange={({ target }) =>
            field.onChange(target.value.trim() === '' ? null : typedNumber(target.value))
          }
        />
        {typeof value === 'number' && (
          <span className="flex-none text-text-2">
            {t(`limits.unit.${name}`, { count: value })}
          </span>
        )}
      </InputBox>
    </LimitRow>
  );
}

function LongestRow({ form: { control } }: RowProps) {
  const { t } = useTranslation('account');
  const { field, frame, input } = useField({
    control,
    name: 'max_months',
    label: t('field.longest'),
    hint: t('limits.longestHint'),
  });
  // A limit may be a term that is no longer on sale, which stays in the list.
  const terms = new Set([
    ...(useTerms() ?? []),
    ...(typeof field.value === 'number' ? [field.value] : []),
  ]);
  const options = [...terms]
    .toSorted((one, other) => one - other)
    .map((months) => ({ value: String(months), label: t('credits.months', { count: months }) }));
  return (
    <LimitRow frame={frame}>
      <SelectBox
        {...input}
        value={String(field.value ?? '')}
        onChange={(months) => field.onChange(months ? Number(months) : null)}
        onBlur={field.onBlur}
        boxRef={field.ref}
        options={[...options, { value: '', label: t('limits.none') }]}
      />
    </LimitRow>
  );
}

/** The plans that the account may sell, chosen among the reader's own. */
function PlansRow({ form: { control } }: RowProps) {
  const { t } = useTranslation('account');
  const plans = usePlansOnSale();
  const { field } = useController({ control, name: 'plan_ids' });
  if (plans.length < 2) return null;
  const chosen = field.value ?? plans.map(({ id }) => id);
  const choose = (id: string, isChosen: boolean) => {
    const ids = isChosen ? [...chosen, id] : chosen.filter((one) => one !== id);
    field.onChange(plans.every((plan) => ids.includes(plan.id)) ? null : ids);
  };
  return (
    <fieldset className="grid grid-cols-1 gap-2 py-3.5">
      <legend className="float-left type-strong">{t('field.plan_ids')}</legend>
      {plans.map(({ id, name }) => (
        <CheckboxField
          key={id}
          checked={chosen.includes(id)}
          onChange={(isChosen) => choose(id, isChosen)}
        >
          <TypedText>{name}</TypedText>
        </CheckboxField>
      ))}
    </fieldset>
  );
}

function MayDeleteRow({ form: { control } }: RowProps) {
  const { t } = useTranslation('account');
  const { field } = useController({ control, name: 'may_delete' });
  return (
    <div className="py-2">
      <SwitchRow
        label={t('field.mayDelete')}
        hint={t('limits.mayDeleteHint')}
        checked={field.value ?? true}
        onChange={field.onChange}
      />
    </div>
  );
}

function EndRow({ form: { control } }: RowProps) {
  const { t } = useTranslation('account');
  const { field, frame, input } = useField({
    control,
    name: 'ends_on',
    label: t('field.ends_on'),
    hint: t('limits.endsOnHint'),
  });
  return (
    <LimitRow frame={frame}>
      <DayBox
        {...input}
        ref={field.ref}
        name={field.name}
        value={String(field.value ?? '')}
        onChange={(text) => field.onChange(text.trim() === '' ? null : text)}
        onBlur={field.onBlur}
      />
    </LimitRow>
  );
}

interface LimitRowProps {
  frame: ReturnType<typeof useField>['frame'];
  /** The used part of the limit; undefined for a limit that is not counted. */
  counted?: Counted;
  /** The input that sets the limit. */
  children: ReactNode;
}

/** The used part of a limit, with the field that sets the limit. */
function LimitRow({ frame, counted, children }: LimitRowProps) {
  const { id, helpId, label, hint, errorText } = frame;
  const tone = counted && isNear(counted) ? 'text-warning-fg' : 'text-text-2';
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_168px] items-center gap-x-6 gap-y-2 min-h-18 py-3.5 phone:grid-cols-[minmax(0,1fr)_184px] phone:gap-x-4 small-phone:grid-cols-1">
      <div>
        <div className="flex flex-wrap justify-between gap-x-2">
          <label className="type-strong" htmlFor={id} id={`${id}-label`}>
            {label}
          </label>
          {counted && <Use counted={counted} />}
        </div>
        {counted && counted.bound !== null && <Bar {...counted} bound={counted.bound} />}
        {(errorText || hint) && (
          <p
            id={helpId}
            className={`flex items-start gap-1 mt-1 type-caption [&>svg]:flex-none [&>svg]:mt-0.5 ${errorText ? 'text-danger' : tone}`}
          >
            {errorText && <CircleAlert size={14} strokeWidth={2} />}
            <span>{errorText ?? hint}</span>
          </p>
        )}
      </div>
      {children}
    </div>
  );
}

/** The used part of a limit, such as '180 of 200'. */
function Use({ counted: { used, bound } }: { counted: Counted }) {
  const { t } = useTranslation('account');
  return (
    <span>
      {bound === null ? (
        <b>{t('number', { value: used })}</b>
      ) : (
        <BoldText>{t('limits.of', { used, bound })}</BoldText>
      )}
    </span>
  );
}

const AMBER =
  'bg-warning-bg [&::-webkit-progress-bar]:bg-warning-bg [&::-webkit-progress-value]:bg-chart-3 [&::-moz-progress-bar]:bg-chart-3';

function Bar({ used, bound, ...counted }: Counted & { bound: number }) {
  const look = isNear({ used, bound, ...counted }) ? AMBER : '';
  // With a limit of 0, the bar is full.
  const [value, max] = bound === 0 ? [1, 1] : [used, bound];
  return <progress className={`h-2 mt-2 ${look}`} value={value} max={max} aria-hidden="true" />;
}

type FormOfLimits = UseFormReturn<
  z.input<typeof setLimits.body>,
  unknown,
  z.output<typeof setLimits.body>
>;

interface LimitsBarProps {
  form: FormOfLimits;
  stored: LimitsGiven;
  submission: Submission;
  onDiscard: () => void;
}

/** The bar with the changed limits, which sticks to the window's bottom while there are any. */
function LimitsBar({ form, stored, submission, onDiscard }: LimitsBarProps) {
  const { t } = useTranslation('account');
  const sentence = useChangeText();
  const changes = changedLimits(stored, form.watch());
  if (changes.length === 0) return null;
  return (
    <div
      className="sticky bottom-0 z-2 flex items-center flex-wrap gap-2 min-h-16 -mx-(--card-pad) -mb-(--card-pad) py-3 px-(--card-pad) border-t border-t-divider rounded-b-card bg-paper *:[--covered-bottom:0px] phone:*:flex-auto phone:[&>[type=submit]]:grow-999 low:static"
      data-sticky
      data-foot-bar
    >
      <p className="flex-1 min-w-50 wrap-anywhere">
        <b className="block">{changes.map(sentence).join(' · ')}</b>
        <span className="text-text-2 type-caption only-wide">{t('limits.stays')}</span>
      </p>
      <Button variant="text" disabled={submission.isPending} onClick={onDiscard}>
        {t('action.discard')}
      </Button>
      <SubmitButton pending={submission.isPending}>{t('limits.save')}</SubmitButton>
    </div>
  );
}

type Change = ReturnType<typeof changedLimits>[number];

/** Returns a function that writes the change of a limit, such as 'Lines: 180 › 200'. */
function useChangeText(): (change: Change) => string {
  const { t } = useTranslation('account');
  const planName = usePlanName();
  const labels = {
    lines: t('nav.lines'),
    accounts: t('below.title'),
    trials: t('limits.trials'),
    max_months: t('field.longest'),
    may_delete: t('field.mayDelete'),
    plan_ids: t('field.plan_ids'),
    ends_on: t('field.ends_on'),
  };
  const valueText = (field: Change['field'], value: Change['before']) => {
    if (typeof value === 'boolean') return t(value ? 'answer.yes' : 'answer.no');
    if (typeof value === 'string') return value;
    if (Array.isArray(value)) return value.map(planName).join(', ') || t('limits.noPlan');
    if (field === 'plan_ids') return t('limits.allPlans');
    if (typeof value !== 'number')
      return t(field === 'ends_on' ? 'recurring.never' : 'limits.none');
    return field === 'max_months' ? t('credits.months', { count: value }) : t('number', { value });
  };
  return ({ field, before, after }) =>
    `${labels[field]}: ${valueText(field, before)} › ${valueText(field, after)}`;
}
