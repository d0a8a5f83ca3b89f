/** Of a form's values those that were changed in it: somebody else may have changed the rest. */
export function changedFields<Values extends object>(
  values: Values,
  dirty: Partial<Record<keyof Values, unknown>>,
): Partial<Values> {
  const changed = Object.entries(values).filter(([name]) => dirty[name as keyof Values]);
  return Object.fromEntries(changed) as Partial<Values>;
}
