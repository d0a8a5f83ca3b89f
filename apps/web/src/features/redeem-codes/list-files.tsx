import { MAX_CODES_AT_ONCE, redeemCodesCsv } from '@linekeeper/contract/credits/redeem-codes.ts';
import { Printer } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListSearch } from '../../screens/address.ts';
import { fetchAll } from '../../shared/api/fetch-all.ts';
import { useIsPhone } from '../../shared/browser/use-is-phone.ts';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { DownloadButton } from '../../shared/list/download-button.tsx';
import { useListSearch, useTotal } from '../../shared/list/use-list.ts';
import { toast } from '../../shared/state/toast.ts';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { IconButton } from '../../shared/ui/buttons/icon-button.tsx';
import { useNeedsConnection } from '../../shared/ui/use-needs-connection.ts';
import { redeemCodes } from './codes-list.ts';
import { usePrintSheet } from './print-sheet.tsx';

/** All codes that the address finds, up to as many as are made at once. */
function fetchCodes(search: ListSearch) {
  const { signal } = new AbortController();
  return fetchAll(
    ({ cursor, limit }) => redeemCodes.fetchPage({ ...search, cursor }, { signal, limit }),
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
      if (isCut) toast.warning(t('print.tooMany', { maximum: MAX_CODES_AT_ONCE }));
      // Codes that nobody can redeem are not printed.
      print(codes.filter(({ status }) => status === 'active'));
    } catch (error) {
      toast.error(errorText(error));
    } finally {
      setFetching(false);
    }
  };
  return (
    <>
      <DownloadButton csv={redeemCodesCsv} />
      <FileButton
        label={t('print.action')}
        icon={<Printer aria-hidden="true" />}
        pending={isFetching}
        onClick={() => void printAll()}
      />
      {sheet}
    </>
  );
}

interface FileButtonProps {
  label: string;
  icon: ReactNode;
  pending?: boolean;
  onClick: () => void;
}

/** An icon alone on a phone, where the heading has little room beside it. */
function FileButton({ label, icon, pending = false, onClick }: FileButtonProps) {
  const isPhone = useIsPhone();
  const blocked = useNeedsConnection();
  if (isPhone) {
    return (
      <IconButton label={label} blocked={blocked} disabled={pending} onClick={onClick}>
        {icon}
      </IconButton>
    );
  }
  return (
    <Button icon={icon} blocked={blocked} pending={pending} onClick={onClick}>
      {label}
    </Button>
  );
}
