import {
  type LineTextName,
  lineTextNames,
  lineTexts,
  type StoredLineTexts,
} from '@linekeeper/contract/fields/line-texts.ts';

type GivenTexts = { [Name in LineTextName]?: string | null | undefined };

function stored(name: LineTextName, text: string | null | undefined) {
  return text || lineTexts[name].whenEmpty;
}

/** The columns of all texts of a new line. */
export function textColumns(given: GivenTexts): StoredLineTexts {
  const columns = lineTextNames.map((name) => [name, stored(name, given[name])]);
  return Object.fromEntries(columns) as StoredLineTexts;
}

/** The columns of the texts that a change gives, of which it takes away the empty ones. */
export function changedTextColumns(given: GivenTexts): Partial<StoredLineTexts> {
  const columns = lineTextNames.flatMap((name) =>
    given[name] === undefined ? [] : [[name, stored(name, given[name])]],
  );
  return Object.fromEntries(columns);
}

/** The texts, for a statement that reads lines. */
export const selectedTexts = lineTextNames.map((name) => `users.${name}` as const);
