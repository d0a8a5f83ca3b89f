import { editPlan, type Plan } from '@linekeeper/contract/credits/plans.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { positionsAt } from './positions.ts';

/** Puts a plan at a place among the others, and moves others if no position is left for it. */
export function useMovePlans(others: readonly Plan[]) {
  const move = useCommand(editPlan, {
    input: ({ id, position }: { id: string; position: number }) => ({
      params: { id },
      body: { position },
    }),
    refreshes: ['credits'],
  });
  return {
    positionAt: (place: number) => positionsAt(others, place).own,
    moveOthers: async (place: number) => {
      for (const moved of positionsAt(others, place).others) await move.send(moved);
    },
  };
}
