import { formatDay } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { serverProtocols } from '@linekeeper/contract/servers/servers.ts';
import { Check, Copy } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button, type ButtonLook } from '../ui/buttons/button.tsx';
import { CopyButton } from '../ui/buttons/copy-button.tsx';
import { useCopy } from '../ui/buttons/use-copy.ts';
import { TypedText } from '../ui/typed-text.tsx';
import styles from './credentials.module.css';

/** In the order in which a receiver asks for them. */
const credentialNames = ['username', 'password', 'protocol', 'server', 'port', 'expiry'] as const;
export type Credentials = Record<(typeof credentialNames)[number], string>;

/** Splits 'fra1.lines.example:12000' at the last colon, since IPv6 addresses contain colons. */
function splitHostPort(hostPort: string): [host: string, port: string] {
  const colon = hostPort.lastIndexOf(':');
  return colon < 0 ? [hostPort, ''] : [hostPort.slice(0, colon), hostPort.slice(colon + 1)];
}

export function credentialsOf(line: Line, password: string): Credentials {
  const [server, port] = splitHostPort(line.host_port[0] ?? '');
  const protocol = serverProtocols.find(
    (name) => name.toLowerCase() === line.protocol.toLowerCase(),
  );
  return {
    username: line.username,
    password,
    protocol: protocol ?? line.protocol,
    server,
    port,
    expiry: formatDay(line.expiry_date),
  };
}

/** Formats credentials as text for a message to the customer. */
export function useCredentialsText(): (credentials: Credentials) => string {
  const { t } = useTranslation();
  return (credentials) =>
    credentialNames.map((name) => `${t(`field.${name}`)}: ${credentials[name]}`).join('\n');
}

const copied: readonly (keyof Credentials)[] = ['username', 'password', 'server', 'port'];

/** The credentials for a receiver, each with its own copy button. */
export function CredentialRows({ credentials }: { credentials: Credentials }) {
  const { t } = useTranslation();
  return (
    <dl className={styles.rows}>
      {credentialNames.map((name) => {
        const label = t(`field.${name}`);
        return (
          <div key={name}>
            <dt>{label}</dt>
            <dd>
              <TypedText>{credentials[name]}</TypedText>
            </dd>
            {copied.includes(name) && (
              <dd>
                <CopyButton
                  size="small"
                  value={credentials[name]}
                  label={t('copy.field', { field: label })}
                />
              </dd>
            )}
          </div>
        );
      })}
    </dl>
  );
}

interface CopyCredentialsButtonProps extends Pick<ButtonLook, 'variant'> {
  getCredentials: () => Credentials | Promise<Credentials>;
  children: string;
  label?: string;
  /** The reason why the credentials cannot be fetched now. */
  blocked?: string | undefined;
}

/** Copies all credentials as one text. */
export function CopyCredentialsButton(props: CopyCredentialsButtonProps) {
  const { t } = useTranslation();
  const credentialsText = useCredentialsText();
  const { isCopied, copy, isReached, reached } = useCopy(async () =>
    credentialsText(await props.getCredentials()),
  );
  return (
    <Button
      variant={props.variant ?? 'outlined'}
      icon={isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      aria-label={props.label}
      blocked={props.blocked}
      {...reached}
      onClick={copy}
    >
      {props.children}
      {isReached && (
        <span className="visually-hidden" role="status">
          {isCopied ? t('copy.done') : ''}
        </span>
      )}
    </Button>
  );
}

/** Copies the configuration line for a CCcam receiver; renders nothing for other protocols. */
export function CopyCLineButton({ credentials }: { credentials: Credentials }) {
  const { t } = useTranslation('lines');
  const { t: common } = useTranslation();
  const { protocol, server, port, username, password } = credentials;
  const { isCopied, copy } = useCopy(() => `C: ${server} ${port} ${username} ${password}`);
  if (protocol !== 'CCcam') return null;
  return (
    <Button
      icon={isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      onClick={copy}
    >
      {t('done.copyCLine')}
      <span className="visually-hidden" role="status">
        {isCopied ? common('copy.done') : ''}
      </span>
    </Button>
  );
}
