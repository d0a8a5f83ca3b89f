import type { CallInput, Endpoint } from '@linekeeper/contract/endpoint.ts';
import { useMutationState } from '@tanstack/react-query';
import type { Attempt } from './use-command.ts';

/**
 * The inputs of all commands to an endpoint that are under way, from any screen. In a file of its own,
 * because the first screens send commands and need not load this.
 */
export function usePendingInputs<E extends Endpoint>({ name }: E): CallInput<E>[] {
  return useMutationState({
    filters: { mutationKey: [name], status: 'pending' },
    select: ({ state }) => (state.variables as Attempt).input as CallInput<E>,
  });
}
