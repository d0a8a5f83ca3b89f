import type { Body } from '@linekeeper/contract/endpoint.ts';
import {
  createMessage,
  deleteMessage,
  getMessage,
  readAllMessages,
  readMessage,
} from '@linekeeper/contract/messages.ts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';
import type { WithIdempotencyKey } from '../../shared/forms/use-send.ts';

export function messageQuery(id: string) {
  return queryOptions({
    queryKey: ['messages', 'one', id],
    queryFn: async ({ signal }) => (await call(getMessage, { params: { id } }, { signal })).message,
  });
}

/** Messages stand in the bell, too. */
function useRefreshMessages() {
  const queryClient = useQueryClient();
  return () => {
    for (const name of ['messages', 'notifications']) {
      void queryClient.invalidateQueries({ queryKey: [name] });
    }
  };
}

export function useCreateMessage() {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof createMessage>>) =>
      call(createMessage, { body }, { idempotencyKey }),
    onSettled: useRefreshMessages(),
  });
}

export function useDeleteMessage(id: string) {
  return useMutation({
    mutationFn: ({ idempotencyKey }: WithIdempotencyKey<null>) =>
      call(deleteMessage, { params: { id } }, { idempotencyKey }),
    onSuccess: useRefreshMessages(),
  });
}

export function useReadMessage() {
  return useMutation({
    mutationFn: (id: string) => call(readMessage, { params: { id } }),
    onSettled: useRefreshMessages(),
  });
}

export function useReadAllMessages() {
  return useMutation({
    mutationFn: () => call(readAllMessages, {}),
    onSettled: useRefreshMessages(),
  });
}
