import type { Line } from '@linekeeper/contract/lines/lines.ts';
import type { Receivers } from '@linekeeper/contract/lines/receivers.ts';
import { Printer, QrCode as QrIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyCredentialsButton, useGetCredentials } from '#domain/lines/credentials.tsx';
import { PASSWORD_DOTS } from '#domain/lines/queries.ts';
import { receiversOfLine } from '#domain/lines/receivers/use-receivers.ts';
import { ShareButton } from '#domain/lines/share-button.tsx';
import { signInName } from '#domain/lines/state.ts';
import { useReveal } from '#domain/lines/use-reveal.ts';
import { InfoDialog } from '#kit/overlays/dialogs/dialog-parts.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { CopyButton } from '#kit/ui/buttons/copy-button.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { Muted, Row } from '#kit/ui/vocabulary.tsx';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { results } from '#platform/state/results.ts';
import styles from './line.module.css';
import type { LineFactsShown } from './use-line-facts.ts';

const QrCode = lazyPart(() => import('#kit/ui/qr-code.tsx'), 'QrCode');
const ReceiverSheet = lazyPart(
  () => import('#domain/lines/receivers/receiver-sheet.tsx'),
  'ReceiverSheet',
  { texts: 'lines' },
);

interface CredentialsProps {
  line: Line;
  server: LineFactsShown['server'];
}

/** The credentials that the customer enters, and every way to hand them over. */
export function Credentials({ line, server }: CredentialsProps) {
  const { t } = useTranslation(['line', 'lines']);
  const { username } = line;
  const entered = signInName(line);
  const { password, isPending, getPassword, toggle } = useReveal(line.id);
  const isShown = password !== undefined;
  const shown = password ?? PASSWORD_DOTS;
  const field = (name: string) => t('copy.field', { field: name });
  return (
    <section aria-label={t('credentials.title')}>
      <dl className={styles.credentials}>
        <Value name={t('field.username')} value={entered}>
          <CopyButton size="small" value={entered} label={t('lines:copyUsername', { username })} />
        </Value>
        <Value name={t('field.password')} value={shown} isMasked={!isShown}>
          <IconButton
            size="small"
            label={t(isShown ? 'line.password.hideOf' : 'line.password.revealOf', { username })}
            aria-busy={isPending || undefined}
            icon={isShown ? 'eye-off' : 'eye'}
            onClick={toggle}
          />
          <CopyButton
            size="small"
            getValue={getPassword}
            label={t('line.password.copyOf', { username })}
          />
        </Value>
        {server && <EnteredLine {...{ line, server, shown, getPassword, field }} />}
      </dl>
      <HandOver line={line} server={server} getPassword={getPassword} />
    </section>
  );
}

interface ValueProps {
  name: string;
  value: string;
  isMasked?: boolean;
  children: ReactNode;
}

function Value({ name, value, isMasked, children }: ValueProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd aria-live="polite" data-masked={isMasked || undefined}>
        <TypedText>{value}</TypedText>
      </dd>
      <dd>{children}</dd>
    </div>
  );
}

interface EnteredLineProps {
  line: Line;
  server: NonNullable<LineFactsShown['server']>;
  shown: string;
  getPassword: () => Promise<string>;
  field: (name: string) => string;
}

const firstLine = ({ cccam, newcamd }: Receivers) => cccam ?? newcamd[0]?.line;

/** The C line; on a server that speaks NewCamd only its first N line, with the key. */
function EnteredLine({ line, server, shown, getPassword, field }: EnteredLineProps) {
  const { t } = useTranslation('line');
  const receivers = receiversOfLine(line, server, shown);
  const text = firstLine(receivers);
  if (!text) return null;
  const name = t(receivers.cccam ? 'credentials.cLine' : 'credentials.nLine');
  const getText = async () => firstLine(receiversOfLine(line, server, await getPassword())) ?? '';
  return (
    <Value name={name} value={text}>
      <CopyButton size="small" getValue={getText} label={field(name)} />
    </Value>
  );
}

interface HandOverProps extends CredentialsProps {
  getPassword: () => Promise<string>;
}

function HandOver({ line, server, getPassword }: HandOverProps) {
  const { t } = useTranslation(['line', 'lines']);
  const { username } = line;
  const errorText = useErrorText();
  const getCredentials = useGetCredentials();
  const [qrText, setQrText] = useState<string>();
  const [printed, setPrinted] = useState<Receivers>();
  const withReceivers = async (act: (receivers: Receivers) => void) => {
    if (!server) return;
    try {
      act(receiversOfLine(line, server, await getPassword()));
    } catch (error) {
      results.error(errorText(error));
    }
  };
  return (
    <Row align="stretch" gap={8} above={12} className={styles.handOver}>
      <CopyCredentialsButton
        line={line}
        getPassword={getPassword}
        label={t('lines:copyCredentialsOf', { username })}
      >
        {t('lines:copy')}
      </CopyCredentialsButton>
      <ShareButton getText={() => getCredentials(line, getPassword)} />
      <Button
        icon={<QrIcon />}
        aria-haspopup="dialog"
        onClick={() => withReceivers((receivers) => setQrText(firstLine(receivers)))}
      >
        {t('credentials.qr')}
      </Button>
      <Button icon={<Printer />} onClick={() => withReceivers(setPrinted)}>
        {t('action.print')}
      </Button>
      {qrText !== undefined && (
        <InfoDialog
          title={t('credentials.qrOf', { username })}
          onClose={() => setQrText(undefined)}
        >
          <div className={styles.qr}>
            <QrCode text={qrText} label={t('credentials.qrOf', { username })} />
            <Muted as="p">{t('lines:receivers.scanHint')}</Muted>
          </div>
        </InfoDialog>
      )}
      {printed && server && (
        <ReceiverSheet
          line={line}
          server={server}
          receivers={printed}
          onDone={() => setPrinted(undefined)}
        />
      )}
    </Row>
  );
}
