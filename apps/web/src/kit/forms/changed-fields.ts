/**
 * Returns only the values that were edited in the form, so that saving does not overwrite other fields that were
 * changed elsewhere. Edits are found by comparing the fields with their initial values.
 */
export function changedFields<Output extends object>(
  values: Output,
  entered: object,
  before: object = {},
): Partial<Output> {
  // Values are compared as JSON, because a form copies lists.
  const textOf = (fields: object, name: string) =>
    JSON.stringify((fields as Record<string, unknown>)[name]);
  const isChanged = (name: string) => textOf(entered, name) !== textOf(before, name);
  const changed = Object.entries(values).filter(([name]) => isChanged(name));
  return Object.fromEntries(changed) as Partial<Output>;
}
