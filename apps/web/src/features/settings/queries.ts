import type { Body } from '@linekeeper/contract/endpoint.ts';
import { editSettings, getSettings } from '@linekeeper/contract/settings.ts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';
import { publicSettingsQuery } from '../../shared/data/settings.ts';
import type { WithIdempotencyKey } from '../../shared/forms/use-send.ts';

/** Settings of the whole panel, for administrators. */
export function settingsQuery() {
  return queryOptions({
    queryKey: ['settings', 'panel'],
    queryFn: ({ signal }) => call(getSettings, {}, { signal }),
  });
}

/** Navigation and title show the saved settings at once. */
export function useEditSettings() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: WithIdempotencyKey<Body<typeof editSettings>>) =>
      call(editSettings, { body }, { idempotencyKey }),
    onSuccess: (settings) => {
      queryClient.setQueryData(settingsQuery().queryKey, settings);
      return queryClient.invalidateQueries({ queryKey: publicSettingsQuery().queryKey });
    },
  });
}
