import fc from 'fast-check';
import type { Act, Seller, Who } from './model.ts';

/**
 * `again` repeats the request of that earlier step with its key, with a different body if
 * `altered`.
 */
export type Step = Act | { again: number; altered: boolean };

export interface Sequence {
  opening: Record<Seller, number>;
  steps: Step[];
}

const who = fc.constantFrom<Who>('top', 'top', 'below', 'below', 'stranger', 'admin');
const other = fc.constantFrom<Seller>('top', 'below', 'below', 'stranger');
const index = fc.nat({ max: 11 });
const months = fc.constantFrom(1, 1, 1, 3, 6, 12, 24, 5);
const amount = fc.integer({ min: 1, max: 25 });
/** The number of names is small, so that names are used, released and sold again. */
const name = fc.nat({ max: 6 });
const days = fc.oneof(fc.integer({ min: -20, max: 90 }), fc.integer({ min: -20, max: 800 }));
const admin = fc.constant('admin' as const);

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('sell' as const), who, name, months }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('sell' as const),
      who,
      name,
      months: fc.constant(null),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('renew' as const), who, line: index, months }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('renew_until' as const, 'edit_until' as const),
      who,
      line: index,
      days,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), who, line: index }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('give' as const, 'take_back' as const),
      who,
      other,
      amount,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('set' as const),
      who: admin,
      other,
      amount: fc.nat({ max: 25 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      who: fc.constantFrom<Who>('admin', 'admin', 'admin', 'top', 'stranger'),
      other,
      owner: fc.constantFrom<Seller | null>('top', 'below', 'stranger', null),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('refund' as const), who: admin, transfer: index }),
  },
);

const again = fc.record({
  again: index,
  altered: fc.oneof(
    { weight: 4, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
});

const credits = fc.integer({ min: 0, max: 30 });

export const sequences: fc.Arbitrary<Sequence> = fc.record({
  opening: fc.record({ top: credits, below: credits, stranger: credits }),
  steps: fc.array(fc.oneof({ weight: 5, arbitrary: act }, { weight: 1, arbitrary: again }), {
    minLength: 4,
    maxLength: 12,
  }),
});
