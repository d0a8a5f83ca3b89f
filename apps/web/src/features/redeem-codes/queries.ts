import {
  createRedeemCodes,
  deleteRedeemCode,
  editRedeemCode,
  redeem,
} from '@linekeeper/contract/credits/redeem-codes.ts';
import type { Body } from '@linekeeper/contract/endpoint.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';
import { meQuery } from '../../shared/data/session.ts';
import type { WithIdempotencyKey } from '../../shared/forms/use-send.ts';

/** A failed try is in the history too. */
export function useRedeem() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof redeem>>) =>
      call(redeem, { body }, { idempotencyKey }),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: meQuery().queryKey });
      void queryClient.invalidateQueries({ queryKey: ['redemptions'] });
    },
  });
}

/** Every key about codes begins with 'redeem-codes': that is what a live change of one makes stale. */
function useRefreshCodes() {
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries({ queryKey: ['redeem-codes'] });
}

export function useCreateRedeemCodes() {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof createRedeemCodes>>) =>
      call(createRedeemCodes, { body }, { idempotencyKey }),
    onSettled: useRefreshCodes(),
  });
}

export function useEditRedeemCode(id: string) {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof editRedeemCode>>) =>
      call(editRedeemCode, { params: { id }, body }, { idempotencyKey }),
    onSettled: useRefreshCodes(),
  });
}

export function useDeleteRedeemCode(id: string) {
  return useMutation({
    mutationFn: ({ idempotencyKey }: WithIdempotencyKey<object>) =>
      call(deleteRedeemCode, { params: { id } }, { idempotencyKey }),
    onSettled: useRefreshCodes(),
  });
}
