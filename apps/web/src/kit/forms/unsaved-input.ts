/** One entry for each form on the screen whose input is not saved yet. */
const unsavedForms = new Set<symbol>();

export function hasUnsavedInput(): boolean {
  return unsavedForms.size > 0;
}

/**
 * Registers unsaved input, so that the page is not left without a question. The returned function ends that, once the
 * form is saved or gone.
 */
export function noteUnsavedInput(): () => void {
  const form = Symbol('form');
  unsavedForms.add(form);
  return () => void unsavedForms.delete(form);
}
