import { useQuery } from '@tanstack/react-query';
import { Copy, Download, Printer } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PrintSheet, usePrint } from '#kit/printing/print.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { useCopy } from '#kit/ui/buttons/use-copy-text.tsx';
import { downloadText } from '#platform/browser/download-file.ts';
import { useMe } from '#platform/data/session.ts';
import { publicSettingsQuery } from '#platform/data/settings.ts';

/** The recovery codes, shown only this once, with buttons to copy, save or print them. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const { t } = useTranslation('twoFactor');
  const { email } = useMe();
  const { data: settings } = useQuery(publicSettingsQuery());
  const [isPrinting, setPrinting] = useState(false);
  const { copy, isCopied } = useCopy(() => codes.join('\n'));
  const head = t('fileHead', { email, site: settings?.site_name ?? 'Linekeeper' });
  const lines = [head, t('fileHint'), '', ...codes];
  return (
    <div className="grid grid-cols-1 gap-3">
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,232px),1fr))] gap-y-2 gap-x-4 p-4 rounded-control bg-head text-center">
        {codes.map((code) => (
          <li key={code}>
            <code className="type-strong">{code}</code>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-stretch gap-2">
        <Button size="small" icon={<Copy />} onClick={copy}>
          {isCopied ? t('copy.done') : t('recurring.copyAll')}
        </Button>
        <Button
          size="small"
          icon={<Download />}
          onClick={() => downloadText(`${lines.join('\n')}\n`, 'recovery-codes.txt', 'text/plain')}
        >
          {t('action.download')}
        </Button>
        <Button size="small" icon={<Printer />} onClick={() => setPrinting(true)}>
          {t('action.print')}
        </Button>
      </div>
      {isPrinting && <Sheet lines={lines} onDone={() => setPrinting(false)} />}
    </div>
  );
}

/** The sheet for printing, which is on paper the only visible part of the page. */
function Sheet({ lines, onDone }: { lines: readonly string[]; onDone: () => void }) {
  usePrint(onDone);
  return (
    <PrintSheet>
      <pre className="print:m-0 print:type-[500_13pt/20pt_var(--font)] print:wrap-anywhere print:whitespace-pre-wrap">
        {lines.join('\n')}
      </pre>
    </PrintSheet>
  );
}
