import { formatDay } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import type { Receivers as ReceiverLines } from '@linekeeper/contract/lines/receivers.ts';
import { useQuery } from '@tanstack/react-query';
import { Check, Copy, Download, Eye, EyeOff, Printer, QrCode as QrIcon } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lineServerQuery, PASSWORD_DOTS } from '#domain/lines/queries.ts';
import { ShareButton } from '#domain/lines/share-button.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { useCopy } from '#kit/ui/buttons/use-copy-text.tsx';
import { Segments } from '#kit/ui/controls/segments.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { Grid, Muted, Row, Stack, Strong } from '#kit/ui/vocabulary.tsx';
import { downloadText } from '#platform/browser/download-file.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { results } from '#platform/state/results.ts';
import { fileOf, type ReceiverForm, textOf, useForm } from './forms.ts';
import { CccamForm, NewcamdForm, NoPorts, OscamForm } from './receiver-forms.tsx';
import styles from './receivers.module.css';
import { type LineServer, receiversOfLine, useAttempt, useLinePassword } from './use-receivers.ts';

interface ReceiversProps {
  line: Line;
  /** The password where it was typed a moment ago; else it is masked until somebody asks for it. */
  known?: string | undefined;
}

/** What the customer enters into a receiver, in the forms that the line's server speaks. */
export function Receivers({ line, known }: ReceiversProps) {
  const { data: server, error, refetch } = useQuery(lineServerQuery(line.id));
  if (server) return <LoadedReceivers line={line} known={known} server={server} />;
  return (
    <Stack gap={16} className={styles.receivers} aria-busy={!error}>
      {error && <FailedPanel error={error} onRetry={() => refetch()} />}
    </Stack>
  );
}

function LoadedReceivers({ line, known, server }: ReceiversProps & { server: LineServer }) {
  const { t } = useTranslation('lines');
  const password = useLinePassword(line, known);
  const { form, choose, offered } = useForm(server);
  const receivers = receiversOfLine(line, server, password.shown ?? PASSWORD_DOTS);
  const getReceivers = async () => receiversOfLine(line, server, await password.getPassword());
  const shown = { line, server, receivers, password: password.shown ?? PASSWORD_DOTS };
  const isEmpty = form === 'newcamd' && receivers.newcamd.length === 0;
  return (
    <Stack gap={16} className={styles.receivers}>
      <Row justify="between" wrap className={styles.head}>
        <h2>{t('receivers.title')}</h2>
        <ShowButton password={password} />
      </Row>
      <FormChoice form={form} offered={offered} onChoose={choose} />
      {form === 'cccam' && (
        <CccamForm {...shown} getReceivers={getReceivers} getPassword={password.getPassword} />
      )}
      {form === 'newcamd' &&
        (isEmpty ? (
          <NoPorts {...shown} getPassword={password.getPassword} />
        ) : (
          <NewcamdForm {...shown} getReceivers={getReceivers} />
        ))}
      {(form === 'oscam_cccam' || form === 'oscam_newcamd') && (
        <OscamForm
          {...shown}
          form={form}
          offered={offered}
          onChoose={choose}
          getReceivers={getReceivers}
        />
      )}
      <Muted as="p" className={styles.expiry}>
        {t('receivers.validThrough')} <b>{formatDay(line.expiry_date)}</b>
      </Muted>
      {!isEmpty && (
        <ReceiverActions
          key={form}
          line={line}
          server={server}
          form={form}
          getReceivers={getReceivers}
        />
      )}
    </Stack>
  );
}

function ShowButton({ password }: { password: ReturnType<typeof useLinePassword> }) {
  const { t } = useTranslation();
  const isShown = password.shown !== undefined;
  return (
    <Button
      variant="text"
      size="small"
      icon={isShown ? <EyeOff /> : <Eye />}
      pending={password.isPending}
      onClick={password.toggle}
    >
      {t(isShown ? 'form.hidePassword' : 'form.showPassword')}
    </Button>
  );
}

interface FormChoiceProps {
  form: ReceiverForm;
  offered: readonly ReceiverForm[];
  onChoose: (form: ReceiverForm) => void;
}

/** C line, N lines or OSCam; what there is of OSCam is chosen below. */
function FormChoice({ form, offered, onChoose }: FormChoiceProps) {
  const { t } = useTranslation('lines');
  const kinds = (['cccam', 'newcamd', 'oscam'] as const).flatMap((kind) => {
    const first = offered.find((one) => one.startsWith(kind));
    return first ? [{ kind, first }] : [];
  });
  if (kinds.length < 2) return null;
  const chosen = kinds.find(({ kind }) => form.startsWith(kind)) ?? kinds[0];
  return (
    <div className={styles.choice}>
      <Segments
        label={t('receivers.form')}
        value={chosen?.first ?? form}
        options={kinds.map(({ kind, first }) => ({ value: first, label: t(`receivers.${kind}`) }))}
        onChange={onChoose}
      />
    </div>
  );
}

const QrCode = lazyPart(() => import('#kit/ui/qr-code.tsx'), 'QrCode');
const ReceiverSheet = lazyPart(() => import('./receiver-sheet.tsx'), 'ReceiverSheet');

/** A code with more in it is too fine for the camera of a phone. */
const MOST_QR_BYTES = 1000;

interface ReceiverActionsProps {
  line: Line;
  server: LineServer;
  form: ReceiverForm;
  getReceivers: () => Promise<ReceiverLines>;
}

/** Hands the whole over, whether the password is shown or not. */
function ReceiverActions(props: ReceiverActionsProps) {
  const { line, server, form, getReceivers } = props;
  const { t } = useTranslation('lines');
  const attempt = useAttempt();
  const [qrText, setQrText] = useState<string>();
  const [printed, setPrinted] = useState<ReceiverLines>();
  const getText = async () => textOf(await getReceivers(), form);
  const { isCopied, copy } = useCopy(getText);
  const showQr = async () => {
    if (qrText !== undefined) return setQrText(undefined);
    const text = await getText();
    if (new TextEncoder().encode(text).length > MOST_QR_BYTES)
      results.info(t('receivers.qrTooLong'));
    else setQrText(text);
  };
  return (
    <>
      {qrText !== undefined && (
        <Grid columns="auto minmax(0, 1fr)" gap={16} align="center">
          <QrCode text={qrText} label={t(`receivers.qrOf.${form}`)} className={styles.qr} />
          <div>
            <Strong as="p">{t(`receivers.scan.${form}`)}</Strong>
            <Muted as="p" above={8}>
              {t('receivers.scanHint')}
            </Muted>
          </div>
        </Grid>
      )}
      <Row align="stretch" gap={8} wrap phoneGap={4} className={styles.actions}>
        <Button
          variant="solid"
          icon={isCopied ? <Check /> : <Copy />}
          aria-label={t(`receivers.copyOf.${form}`)}
          onClick={copy}
        >
          {t('copy')}
          <span className="visually-hidden" role="status">
            {isCopied ? t('copy.done') : ''}
          </span>
        </Button>
        <ShareButton getText={getText} />
        <Button
          icon={<Download />}
          onClick={attempt(async () =>
            downloadText(`${await getText()}\n`, fileOf(form, line.username), 'text/plain'),
          )}
        >
          {t('action.download')}
        </Button>
        <Button icon={<QrIcon />} aria-pressed={qrText !== undefined} onClick={attempt(showQr)}>
          {t('receivers.qr')}
        </Button>
        <Button icon={<Printer />} onClick={attempt(async () => setPrinted(await getReceivers()))}>
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
