import type { Body } from '@linekeeper/contract/endpoint.ts';
import type { editTicket, Ticket } from '@linekeeper/contract/tickets/tickets.ts';
import { useSend } from '../../shared/forms/use-send.ts';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { toast } from '../../shared/state/toast.ts';
import { useEditTicket } from './queries.ts';

type Changes = Body<typeof editTicket>;

/** Changes a ticket at once; `done` says so where the page itself does not show it. */
export function useChange({ id }: Pick<Ticket, 'id'>) {
  const errorText = useErrorText();
  const edit = useEditTicket(id);
  const { send, isPending } = useSend<{ changes: Changes; done?: string | undefined }, unknown>({
    send: ({ body: { changes }, idempotencyKey }) =>
      edit.mutateAsync({ body: changes, idempotencyKey }),
    onSuccess: (_, { done }) => done && toast.success(done),
    onRefused: (error) => toast.error(errorText(error)),
  });
  return { change: (changes: Changes, done?: string) => void send({ changes, done }), isPending };
}
