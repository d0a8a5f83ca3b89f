import type { PlanTerm } from '@linekeeper/contract/credits/plans.ts';

/** A term in the form. A number that is not typed yet is not of type number. */
export interface EnteredTerm {
  months?: unknown;
  credits?: unknown;
  is_offered?: boolean | undefined;
}

export type TermChange =
  | { kind: 'price'; months: number; before: number; after: unknown }
  | { kind: 'added'; months: unknown }
  | { kind: 'hidden' | 'shown' | 'deleted'; months: number }
  | { kind: 'order' };

/** The changes that saving the entered terms would make. A term is identified by its months. */
export function termChanges(
  before: readonly PlanTerm[],
  entered: readonly EnteredTerm[],
): TermChange[] {
  const pairs = entered.map((term) => ({ term, was: before.find(isSameTerm(term)) }));
  const kept = before.filter((was) => entered.some(isSameTerm(was)));
  const found = pairs.flatMap(({ was }) => was ?? []);
  const isMoved = kept.some((term, index) => term !== found[index]);
  return [
    ...pairs.flatMap(({ term, was }) => changesOfTerm(term, was)),
    ...before
      .filter((was) => !kept.includes(was))
      .map(({ months }) => ({ kind: 'deleted', months }) as const),
    ...(isMoved ? [{ kind: 'order' } as const] : []),
  ];
}

const isSameTerm =
  ({ months }: EnteredTerm) =>
  (other: EnteredTerm) =>
    other.months === months;

function changesOfTerm(term: EnteredTerm, was: PlanTerm | undefined): TermChange[] {
  if (!was) return [{ kind: 'added', months: term.months }];
  const { months, credits, is_offered } = was;
  const changes: TermChange[] = [];
  if (term.credits !== credits) {
    changes.push({ kind: 'price', months, before: credits, after: term.credits });
  }
  if (term.is_offered !== is_offered) {
    changes.push({ kind: is_offered ? 'hidden' : 'shown', months });
  }
  return changes;
}
