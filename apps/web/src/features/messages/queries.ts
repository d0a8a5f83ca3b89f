import { getMessage } from '@linekeeper/contract/messages.ts';
import { callQuery } from '#platform/api/call-query.ts';

export const messageQuery = (id: string) =>
  callQuery('messages', getMessage, {
    params: { id },
    select: ({ message }) => message,
  });
