import { useQuery } from '@tanstack/react-query';
import { Copy, Download, Printer } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PrintSheet, usePrint } from '#kit/printing/print.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { useCopy } from '#kit/ui/buttons/use-copy-text.tsx';
import { Row, Stack, Strong } from '#kit/ui/vocabulary.tsx';
import { downloadText } from '#platform/browser/download-file.ts';
import { useMe } from '#platform/data/session.ts';
import { publicSettingsQuery } from '#platform/data/settings.ts';
import styles from './two-factor.module.css';

/** The only time that these codes are shown: to be copied, saved or printed. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const { t } = useTranslation('twoFactor');
  const { email } = useMe();
  const { data: settings } = useQuery(publicSettingsQuery());
  const [isPrinting, setPrinting] = useState(false);
  const { copy, isCopied } = useCopy(() => codes.join('\n'));
  const head = t('fileHead', { email, site: settings?.site_name ?? 'Linekeeper' });
  const lines = [head, t('fileHint'), '', ...codes];
  return (
    <Stack gap={12}>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <Strong as="code">{code}</Strong>
          </li>
        ))}
      </ul>
      <Row align="stretch" gap={8} wrap>
        <Button size="small" icon={<Copy />} onClick={copy}>
          {isCopied ? t('copy.done') : t('copyAll')}
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
      </Row>
      {isPrinting && <Sheet lines={lines} onDone={() => setPrinting(false)} />}
    </Stack>
  );
}

/** Seen on paper only, and everything else is not. */
function Sheet({ lines, onDone }: { lines: readonly string[]; onDone: () => void }) {
  usePrint(onDone);
  return (
    <PrintSheet>
      <pre className={styles.sheet}>{lines.join('\n')}</pre>
    </PrintSheet>
  );
}
