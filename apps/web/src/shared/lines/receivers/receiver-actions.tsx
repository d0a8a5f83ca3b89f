import type { Line } from '@linekeeper/contract/lines/lines.ts';
import type { Receivers } from '@linekeeper/contract/lines/receivers.ts';
import { Check, Copy, Download, Printer, QrCode as QrIcon, Share2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { downloadText } from '../../browser/download-file.ts';
import { useErrorText } from '../../i18n/use-error-text.ts';
import { lazyComponent } from '../../start/lazy-component.tsx';
import { toast } from '../../state/toast.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { useCopy } from '../../ui/buttons/use-copy.ts';
import { useNeedsConnection } from '../../ui/use-needs-connection.ts';
import { Row } from '../../ui/vocabulary.tsx';
import { fileOf, type ReceiverForm, textOf } from './forms.ts';
import styles from './receivers.module.css';
import type { LineServer } from './use-receivers.ts';

const QrCode = lazyComponent(async () => (await import('../../ui/qr-code.tsx')).QrCode);
const ReceiverSheet = lazyComponent(
  async () => (await import('./receiver-sheet.tsx')).ReceiverSheet,
);

/** A code with more in it is too fine for the camera of a phone. */
const MOST_QR_BYTES = 1000;

interface ReceiverActionsProps {
  line: Line;
  server: LineServer;
  form: ReceiverForm;
  getReceivers: () => Promise<Receivers>;
  isKnown: boolean;
}

/** Hands the whole over, whether the password is shown or not. */
export function ReceiverActions(props: ReceiverActionsProps) {
  const { line, server, form, getReceivers, isKnown } = props;
  const { t } = useTranslation('lines');
  const errorText = useErrorText();
  const needsConnection = useNeedsConnection();
  const blocked = isKnown ? undefined : needsConnection;
  const [qrText, setQrText] = useState<string>();
  const [printed, setPrinted] = useState<Receivers>();
  const getText = async () => textOf(await getReceivers(), form);
  const { isCopied, copy } = useCopy(getText);
  const attempt = (act: () => Promise<void>) => async () => {
    try {
      await act();
    } catch (error) {
      toast.error(errorText(error));
    }
  };
  const showQr = async () => {
    if (qrText !== undefined) return setQrText(undefined);
    const text = await getText();
    if (new TextEncoder().encode(text).length > MOST_QR_BYTES) toast.info(t('receivers.qrTooLong'));
    else setQrText(text);
  };
  return (
    <>
      {qrText !== undefined && (
        <div className={styles.scan}>
          <QrCode text={qrText} label={t(`receivers.qrOf.${form}`)} className={styles.qr} />
          <div>
            <p>{t(`receivers.scan.${form}`)}</p>
            <p>{t('receivers.scanHint')}</p>
          </div>
        </div>
      )}
      <Row align="stretch" gap={8} wrap phoneGap={4} className={styles.actions}>
        <Button
          variant="solid"
          icon={isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
          aria-label={t(`receivers.copyOf.${form}`)}
          blocked={blocked}
          onClick={copy}
        >
          {t('copy')}
          <span className="visually-hidden" role="status">
            {isCopied ? t('copy.done') : ''}
          </span>
        </Button>
        {'share' in navigator && (
          <Button
            icon={<Share2 aria-hidden="true" />}
            blocked={blocked}
            onClick={attempt(async () => share(await getText()))}
          >
            {t('receivers.share')}
          </Button>
        )}
        <Button
          icon={<Download aria-hidden="true" />}
          blocked={blocked}
          onClick={attempt(async () =>
            downloadText(`${await getText()}\n`, fileOf(form, line.username), 'text/plain'),
          )}
        >
          {t('action.download')}
        </Button>
        <Button
          icon={<QrIcon aria-hidden="true" />}
          aria-pressed={qrText !== undefined}
          blocked={blocked}
          onClick={attempt(showQr)}
        >
          {t('receivers.qr')}
        </Button>
        <Button
          icon={<Printer aria-hidden="true" />}
          blocked={blocked}
          onClick={attempt(async () => setPrinted(await getReceivers()))}
        >
          {t('action.print')}
        </Button>
      </Row>
      {printed && (
        <ReceiverSheet
          line={line}
          server={server}
          receivers={printed}
          onDone={() => setPrinted(undefined)}
        />
      )}
    </>
  );
}

/** Whoever closes the browser's own dialog has changed their mind. */
async function share(text: string): Promise<void> {
  try {
    await navigator.share({ text });
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
  }
}
