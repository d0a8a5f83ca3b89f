import {
  customerFields,
  type GivenCustomer,
  type LineDetailName,
  lineDetailNames,
  lineDetails,
  type StoredLineDetails,
} from '@linekeeper/contract/fields/line-details.ts';

type Value = string | number | null | undefined;
type Given = { [Name in LineDetailName]?: Value } & { customer?: GivenCustomer };

const stored = (name: LineDetailName, value: Value) =>
  value || value === 0 ? value : (lineDetails[name].whenEmpty ?? null);

/** The details that are given, those of `customer` among them. */
export function flatDetails({ customer, ...given }: Given): { [Name in LineDetailName]?: Value } {
  const named = Object.entries(customer ?? {}).flatMap(([field, value]) =>
    value === undefined ? [] : [[customerFields[field as keyof typeof customerFields], value]],
  );
  return { ...given, ...Object.fromEntries(named) };
}

/** The columns of all details of a new line. */
export function detailColumns(given: Given): StoredLineDetails {
  const details = flatDetails(given);
  const columns = lineDetailNames.map((name) => [name, stored(name, details[name])]);
  return Object.fromEntries(columns) as StoredLineDetails;
}

/** The columns of the details that a change sets; empty details become null. */
export function changedDetailColumns(given: Given): Partial<StoredLineDetails> {
  const details = flatDetails(given);
  const columns = lineDetailNames.flatMap((name) =>
    details[name] === undefined ? [] : [[name, stored(name, details[name])]],
  );
  return Object.fromEntries(columns);
}

/** The details' columns, for a statement that reads lines. */
export const selectedDetails = lineDetailNames.map((name) => `users.${name}` as const);

/** The customer of a line, as a response has it. */
export const customerOf = (line: StoredLineDetails) => ({
  name: line.name,
  phone: line.phone,
  language: line.language,
  price_minor: line.price_minor,
  currency: line.currency,
  note: line.notes,
});
