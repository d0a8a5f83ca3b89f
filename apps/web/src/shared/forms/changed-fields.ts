/**
 * Only the values that were edited in the form, so that saving does not overwrite other fields
 * changed elsewhere. Edits are found by comparing the fields with their initial values.
 */
export function changedFields<Output extends object>(
  values: Output,
  entered: object,
  before: object = {},
): Partial<Output> {
  const isChanged = (name: string) =>
    (entered as Record<string, unknown>)[name] !== (before as Record<string, unknown>)[name];
  const changed = Object.entries(values).filter(([name]) => isChanged(name));
  return Object.fromEntries(changed) as Partial<Output>;
}
