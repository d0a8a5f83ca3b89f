import type { Plan } from '@linekeeper/contract/credits/plans.ts';
import { useEffect, useState } from 'react';
import type { DefaultValues, FieldValues, UseFormReturn } from 'react-hook-form';

/**
 * Keeps a form equal to the stored plan until other values are entered. Returns the version of the plan from which the
 * entered values started: if others change the plan in the meantime, the panel refuses the values.
 */
export function useStoredPlan<Values extends FieldValues, Output>(
  form: UseFormReturn<Values, unknown, Output>,
  stored: Values,
  { updated_at }: Plan,
): string {
  const { isDirty } = form.formState;
  const [version, setVersion] = useState(updated_at);
  if (!isDirty && version !== updated_at) setVersion(updated_at);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the stored plan changes, not while someone types
  useEffect(() => {
    form.reset(stored as DefaultValues<Values>, { keepValues: isDirty, keepErrors: isDirty });
  }, [stored]);
  return version;
}
