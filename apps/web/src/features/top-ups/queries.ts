import {
  approveTopUp,
  checkOutTopUp,
  createPackage,
  deletePackage,
  editPackage,
  listPackages,
  orderTopUp,
  rejectTopUp,
  resolveTopUp,
  withdrawTopUp,
} from '@linekeeper/contract/credits/top-ups.ts';
import type { Body } from '@linekeeper/contract/endpoint.ts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';
import type { WithIdempotencyKey } from '../../shared/forms/use-send.ts';

export function packagesQuery() {
  return queryOptions({
    queryKey: ['packages'],
    queryFn: ({ signal }) => call(listPackages, {}, { signal }),
  });
}

function useRefresh(...keys: readonly string[]) {
  const queryClient = useQueryClient();
  return () => {
    for (const key of keys) void queryClient.invalidateQueries({ queryKey: [key] });
  };
}

export function useCreatePackage() {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof createPackage>>) =>
      call(createPackage, { body }, { idempotencyKey }),
    onSettled: useRefresh('packages'),
  });
}

export function useEditPackage(id: string) {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof editPackage>>) =>
      call(editPackage, { params: { id }, body }, { idempotencyKey }),
    onSettled: useRefresh('packages'),
  });
}

export function useDeletePackage(id: string) {
  return useMutation({
    mutationFn: ({ idempotencyKey }: WithIdempotencyKey<object>) =>
      call(deletePackage, { params: { id } }, { idempotencyKey }),
    onSettled: useRefresh('packages'),
  });
}

export function useOrderTopUp() {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof orderTopUp>>) =>
      call(orderTopUp, { body }, { idempotencyKey }),
    onSettled: useRefresh('top-ups'),
  });
}

export function useApproveTopUp(id: string) {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof approveTopUp>>) =>
      call(approveTopUp, { params: { id }, body }, { idempotencyKey }),
    onSettled: useRefresh('top-ups', 'packages', 'transfers', 'accounts', 'me'),
  });
}

export function useRejectTopUp(id: string) {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof rejectTopUp>>) =>
      call(rejectTopUp, { params: { id }, body }, { idempotencyKey }),
    onSettled: useRefresh('top-ups'),
  });
}

export function useWithdrawTopUp(id: string) {
  return useMutation({
    mutationFn: () => call(withdrawTopUp, { params: { id } }),
    onSettled: useRefresh('top-ups'),
  });
}

export function useResolveTopUp(id: string) {
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof resolveTopUp>>) =>
      call(resolveTopUp, { params: { id }, body }, { idempotencyKey }),
    onSettled: useRefresh('top-ups'),
  });
}

/** Leads the browser to the page where the top-up is paid. */
export function useCheckOut() {
  const refresh = useRefresh('top-ups');
  return async (id: string) => {
    try {
      const { url } = await call(checkOutTopUp, { params: { id } });
      location.assign(url);
    } finally {
      refresh();
    }
  };
}
