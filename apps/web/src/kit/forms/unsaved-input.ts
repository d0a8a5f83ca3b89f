/** One entry for each form on the screen with unsaved input. */
const unsavedForms = new Set<symbol>();

export function hasUnsavedInput(): boolean {
  return unsavedForms.size > 0;
}

/**
 * Registers unsaved input, so that leaving the page asks a question first. The returned function ends this after the
 * form is saved or closed.
 */
export function noteUnsavedInput(): () => void {
  const form = Symbol('form');
  unsavedForms.add(form);
  return () => void unsavedForms.delete(form);
}
