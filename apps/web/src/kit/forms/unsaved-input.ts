/** One entry for each form on the screen whose input is not saved yet. */
const unsavedForms = new Set<symbol>();

export function hasUnsavedInput(): boolean {
  return unsavedForms.size > 0;
}

/** Call the returned function once the form is saved or gone. */
export function noteUnsavedInput(): () => void {
  const form = Symbol('form');
  unsavedForms.add(form);
  return () => void unsavedForms.delete(form);
}
