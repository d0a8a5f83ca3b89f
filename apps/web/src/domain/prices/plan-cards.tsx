import { useQuery } from '@tanstack/react-query';
import { type Ref, useId } from 'react';
import { type Control, type FieldPath, useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { RequiredMark } from '#kit/forms/fields/field-frame.tsx';
import { useFieldErrorText } from '#kit/forms/fields/use-field.ts';
import { CoveringInput } from '#kit/ui/controls/covering-input.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useMe } from '#platform/data/session.ts';
import { type Plan, usePlansOnSale } from './plans.ts';
import { allPricesQuery, lowestCost } from './prices.ts';

interface PlanCardsProps {
  plans: readonly Plan[];
  value: string | undefined;
  onChange: (plan: Plan) => void;
  /** The sentence for a plan that was refused. */
  problem?: string | undefined;
  firstRef?: Ref<HTMLInputElement>;
}

/** The plans to choose from, each with its lowest price, and details of the chosen one. */
export function PlanCards({ plans, value, onChange, problem, firstRef }: PlanCardsProps) {
  const { t } = useTranslation();
  const id = useId();
  const { is_admin } = useMe();
  const { data: prices = [] } = useQuery(allPricesQuery());
  const about = plans.find((plan) => plan.id === value)?.description;
  return (
    <fieldset aria-describedby={problem ? `${id}-problem` : undefined}>
      <legend className="mb-2 type-strong">
        {t('field.plan')}
        <RequiredMark />
      </legend>
      <div className="grid grid-cols-3 gap-3 phone:gap-2">
        {plans.map((plan, index) => (
          <label
            key={plan.id}
            className="choice relative grid content-start py-2.5 px-3 min-w-0 wrap-anywhere"
          >
            <CoveringInput
              ref={index === 0 ? firstRef : undefined}
              type="radio"
              name={id}
              checked={plan.id === value}
              aria-invalid={problem ? true : undefined}
              onChange={() => onChange(plan)}
            />
            <b className="font-semibold">
              <TypedText>{plan.name}</TypedText>
            </b>
            {!is_admin && (
              <span className="text-text-2 type-caption">
                {t('plan.from', { cost: lowestCost(prices, plan.id) })}
              </span>
            )}
          </label>
        ))}
      </div>
      {about && (
        <p className="mt-1 text-text-2 type-caption wrap-anywhere">
          <TypedText>{about}</TypedText>
        </p>
      )}
      {problem && (
        <p id={`${id}-problem`} role="alert" className="mt-1 type-caption text-error-fg">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

interface PlanInputProps<Values extends { plan_id?: string | undefined }, Output> {
  control: Control<Values, unknown, Output>;
  onChosen: (id: string) => void;
}

/** The form field `plan_id`, shown if there are several plans. */
export function PlanInput<Values extends { plan_id?: string | undefined }, Output>({
  control,
  onChosen,
}: PlanInputProps<Values, Output>) {
  const plans = usePlansOnSale();
  const { field, fieldState } = useController({ control, name: 'plan_id' as FieldPath<Values> });
  const problem = useFieldErrorText()(fieldState.error);
  if (plans.length < 2) return null;
  return (
    <PlanCards
      plans={plans}
      value={field.value}
      problem={problem}
      firstRef={field.ref}
      onChange={({ id }) => {
        field.onChange(id);
        onChosen(id);
      }}
    />
  );
}
