import { planTerms } from '@linekeeper/contract/credits/plans.ts';
import { settingsChanges } from '@linekeeper/contract/settings.ts';
import type { UseFormReturn } from 'react-hook-form';
import * as z from 'zod';

const { trial_limit, trial_days } = settingsChanges.shape;

/** The values of the form: the prices of terms, and whether trials are offered. */
export const pricesForm = z.object({
  terms: planTerms,
  trial_limit: trial_limit.unwrap(),
  trial_days: trial_days.unwrap(),
});
export type Prices = z.output<typeof pricesForm>;
export type PricesFormOf = UseFormReturn<z.input<typeof pricesForm>, unknown, Prices>;
