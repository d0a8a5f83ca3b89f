import type { Fields } from '../../../domain/audit/audit.ts';
import type { ChangedLines } from '../../../domain/lines/changed-addresses.ts';
import { fail } from '../../../platform/errors/refusal.ts';
import type { ChangeableLine, LineUpdate } from './locked-line.ts';

/** Compares as text, because jsonb reorders keys. */
function textOf(value: unknown): string {
  return JSON.stringify(value ?? null, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
export const same = (one: unknown, other: unknown) => textOf(one) === textOf(other);

export interface Differences {
  before: Fields;
  after: Fields;
}

/** The fields of `changes` that differ from the line's; null where none does. */
export function differing(line: ChangeableLine, changes: LineUpdate): Differences | null {
  const now = line as unknown as Fields;
  const changed = Object.entries(changes).filter(([field, value]) => !same(now[field], value));
  if (changed.length === 0) return null;
  return {
    before: Object.fromEntries(changed.map(([field]) => [field, now[field]])),
    after: Object.fromEntries(changed),
  };
}

/** With what the customer enters, which is no field of the line; null where that stays. */
export function withReceivers(
  { before, after }: Differences,
  changed: ChangedLines | null,
): Differences {
  return {
    before: { ...before, receivers: changed?.old_lines ?? null },
    after: { ...after, receivers: changed?.new_lines ?? null },
  };
}

/** The differences that the changes make. Throws ALREADY_SO if there are none. */
export function differences(line: ChangeableLine, changes: LineUpdate): Differences {
  return differing(line, changes) ?? fail('ALREADY_SO');
}
