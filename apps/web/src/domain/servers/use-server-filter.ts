import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type FilterLook, offering } from '#kit/list/use-list.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { serverChoicesQuery } from './server-choices.ts';

/** A filter whose values are servers. Saved views may name servers that were deleted since. */
export function useServerFilter(name: string): FilterLook {
  const { t } = useTranslation();
  const { data, isSuccess } = useQuery(serverChoicesQuery());
  const options = (data ?? []).map(({ id, server_name }) => ({
    value: id,
    label: isolate(server_name),
  }));
  const otherText = isSuccess ? t('list.filter.deletedServer') : '…';
  return { ...offering(name, options, otherText), isLong: true };
}
