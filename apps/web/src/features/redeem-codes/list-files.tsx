import {
  listRedeemCodes,
  MAX_CODES_AT_ONCE,
  redeemCodesCsv,
} from '@linekeeper/contract/credits/redeem-codes.ts';
import { redeemCodesList } from '@linekeeper/contract/lists/lists.ts';
import { Printer } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fetchPages } from '#kit/list/define-list.ts';
import { DownloadButton } from '#kit/list/download-button.tsx';
import { useListSearch, useTotal } from '#kit/list/use-list.ts';
import { HeaderButton } from '#kit/ui/buttons/header-button.tsx';
import { fetchAll } from '#platform/api/fetch-all.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { results } from '#platform/state/results.ts';
import type { ListSearch } from '#screens/address.ts';
import { usePrintSheet } from './print-sheet.tsx';

const fetchPage = fetchPages(redeemCodesList, listRedeemCodes);

/** All codes that match the address, up to the number that can be created together. */
function fetchCodes(search: ListSearch) {
  const { signal } = new AbortController();
  return fetchAll(
    ({ cursor, limit }) => fetchPage({ ...search, cursor }, { signal, limit }),
    MAX_CODES_AT_ONCE,
  );
}

/** Buttons for the listed codes as a file or on paper; nothing if there are no codes. */
export function ListFiles() {
  const { t } = useTranslation('redeemCodes');
  const errorText = useErrorText();
  const { search } = useListSearch();
  const { total } = useTotal(search);
  const { sheet, print } = usePrintSheet();
  const [isFetching, setFetching] = useState(false);
  if (!total) return null;
  const printAll = async () => {
    setFetching(true);
    try {
      const { rows: codes, isCut } = await fetchCodes(search);
      if (isCut) results.warning(t('print.tooMany', { maximum: MAX_CODES_AT_ONCE }));
      // Codes that cannot be redeemed are not printed.
      print(codes.filter(({ status }) => status === 'active'));
    } catch (error) {
      results.error(errorText(error));
    } finally {
      setFetching(false);
    }
  };
  return (
    <>
      <DownloadButton csv={redeemCodesCsv} />
      <HeaderButton
        label={t('print.action')}
        icon={Printer}
        iconSize={24}
        pending={isFetching}
        onClick={() => void printAll()}
      />
      {sheet}
    </>
  );
}
