/**
 * Labels of each form's fields, so that a summary can name the field of a message such as "This
 * field is required".
 */
const labelsOf = new WeakMap<object, Map<string, string>>();

export function rememberLabel(control: object, name: string, label: string): void {
  const labels = labelsOf.get(control) ?? new Map<string, string>();
  labels.set(name, label);
  labelsOf.set(control, labels);
}

export function labelOf(control: object, name: string): string | undefined {
  return labelsOf.get(control)?.get(name);
}

/** Sentences for an empty choice in each form's fields, instead of "Invalid server ID". */
const choicesOf = new WeakMap<object, Map<string, string>>();

export function rememberChoice(control: object, name: string, text: string): void {
  const texts = choicesOf.get(control) ?? new Map<string, string>();
  texts.set(name, text);
  choicesOf.set(control, texts);
}

/** The sentence for an empty choice; undefined if there is a value. */
export function unmadeChoice(control: object, name: string, value: unknown): string | undefined {
  const isMade = value !== undefined && value !== null && value !== '';
  return isMade ? undefined : choicesOf.get(control)?.get(name);
}

/** Sorts fields by their order in the form. */
export function inFieldOrder<Field extends { name: string }>(
  control: object,
  fields: Field[],
): Field[] {
  const order = [...(labelsOf.get(control)?.keys() ?? [])];
  const placeOf = ({ name }: Field) => (order.includes(name) ? order.indexOf(name) : order.length);
  return fields.toSorted((one, other) => placeOf(one) - placeOf(other));
}
