import type { Account } from '@linekeeper/contract/accounts/accounts.ts';
import { type Limits, setLimits } from '@linekeeper/contract/accounts/limits.ts';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Counted } from '#domain/accounts/limits.ts';
import { usePlansOnSale } from '#domain/prices/plans.ts';
import { useTerms } from '#domain/prices/prices.ts';
import { InputBox } from '#kit/forms/fields/input-box.tsx';
import { SelectBox } from '#kit/forms/fields/select-input.tsx';
import { typedNumber } from '#kit/forms/fields/text-input.tsx';
import { useField } from '#kit/forms/fields/use-field.ts';
import { Form } from '#kit/forms/form.tsx';
import { FormProblems } from '#kit/forms/form-problems.tsx';
import { DayBox } from '#kit/forms/pickers/day-picker.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { CheckboxField } from '#kit/ui/controls/checkbox.tsx';
import { SwitchRow } from '#kit/ui/controls/switch-row.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { LimitRow } from './limit-row.tsx';
import { isNear, leftOf, toldAt, valuesOf } from './limit-values.ts';
import { type LimitsForm as FormOfLimits, LimitsBar } from './limits-bar.tsx';

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
