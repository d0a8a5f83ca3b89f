import { useQuery } from '@tanstack/react-query';
import { useController } from 'react-hook-form';
import { PlanCards } from '#domain/prices/plan-cards.tsx';
import { type Plan, usePlansOnSale } from '#domain/prices/plans.ts';
import { allPricesQuery, termOnSale, termsOf } from '#domain/prices/prices.ts';
import { useFieldErrorText } from '#kit/forms/fields/use-field.ts';
import type { NewLineForm } from './add-line-types.ts';

/** The choice of a plan, where there are several. The chosen duration stays, if the plan has it. */
export function PlanField({ form: { control, getValues, setValue } }: { form: NewLineForm }) {
  const plans = usePlansOnSale();
  const { data: prices = [] } = useQuery(allPricesQuery());
  const { field, fieldState } = useController({ control, name: 'plan_id' });
  const problem = useFieldErrorText()(fieldState.error);
  if (plans.length < 2) return null;
  const choose = ({ id }: Plan) => {
    field.onChange(id);
    const chosen = getValues('subscription_months');
    if (chosen !== undefined) {
      setValue('subscription_months', termOnSale(chosen, termsOf(prices, id)));
    }
  };
  return (
    <PlanCards
      plans={plans}
      value={field.value}
      onChange={choose}
      problem={problem}
      firstRef={field.ref}
    />
  );
}
