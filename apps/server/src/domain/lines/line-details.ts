import {
  type LineDetailName,
  lineDetailNames,
  lineDetails,
  type StoredLineDetails,
} from '@linekeeper/contract/fields/line-details.ts';

type Given = { [Name in LineDetailName]?: string | null | undefined };

const stored = (name: LineDetailName, value: string | null | undefined) =>
  value || (lineDetails[name].whenEmpty ?? null);

/** The columns of all details of a new line. */
export function detailColumns(given: Given): StoredLineDetails {
  const columns = lineDetailNames.map((name) => [name, stored(name, given[name])]);
  return Object.fromEntries(columns) as StoredLineDetails;
}

/** The columns of the details that a change sets; empty details become null. */
export function changedDetailColumns(given: Given): Partial<StoredLineDetails> {
  const columns = lineDetailNames.flatMap((name) =>
    given[name] === undefined ? [] : [[name, stored(name, given[name])]],
  );
  return Object.fromEntries(columns);
}

/** The details' columns, for a statement that reads lines. */
export const selectedDetails = lineDetailNames.map((name) => `users.${name}` as const);
