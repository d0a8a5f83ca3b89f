import { editContact } from '@linekeeper/contract/contact.ts';
import type { Body } from '@linekeeper/contract/endpoint.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';
import type { WithIdempotencyKey } from '../../shared/forms/use-send.ts';

export function useEditContact(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof editContact>>) =>
      call(editContact, { params: { id }, body }, { idempotencyKey }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['contact'] }),
  });
}
