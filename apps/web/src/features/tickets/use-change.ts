import type { Body } from '@linekeeper/contract/endpoint.ts';
import { editTicket, type Ticket } from '@linekeeper/contract/tickets/tickets.ts';
import { useCommand } from '../../shared/commands/use-command.ts';
import { toast } from '../../shared/state/toast.ts';

type Changes = Body<typeof editTicket>;

/** Changes a ticket at once; `done` says so where the page itself does not show it. */
export function useChange({ id }: Pick<Ticket, 'id'>) {
  const { send, isPending } = useCommand(editTicket, {
    params: { id },
    refreshes: ['tickets'],
    waits: true,
  });
  const change = (changes: Changes, done?: string) =>
    void send(changes, { done: () => done && toast.success(done) });
  return { change, isPending };
}
