import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { buttonLook } from '../ui/buttons/button.tsx';
import styles from './address-change.module.css';

/** Host and port of 'host:port', split at the last colon. */
const partsOf = (address: string) => address.split(/:(?=\d+$)/) as [host: string, port?: string];

interface AddressChangeProps {
  /** As host:port. */
  from: string;
  to: string;
  /** Customers who have the old one. */
  count: number;
  /** Of the lines or their server; only CCcam has a C line. */
  protocol?: string;
  /** What follows until they change it. */
  explanation?: string;
  /** Where the list of these customers is; without it there is none yet. */
  listAddress?: string;
}

/** What customers must change, as their receivers have it; or that they change nothing. */
export function AddressChange(props: AddressChangeProps) {
  const { from, to, count, protocol, explanation, listAddress } = props;
  const { t } = useTranslation();
  const [oldHost, oldPort] = partsOf(from);
  const [newHost, newPort] = partsOf(to);
  const changes = { host: oldHost !== newHost, port: oldPort !== newPort };
  if (count === 0 || (!changes.host && !changes.port)) {
    return (
      <div role="status" className={styles.change}>
        <h3>{t('address.nothing')}</h3>
        <dl className={styles.lines}>
          <CLine label={t('address.stays')} host={oldHost} port={oldPort} protocol={protocol} />
        </dl>
      </div>
    );
  }
  const what = changes.host && changes.port ? 'both' : changes.host ? 'host' : 'port';
  return (
    <div role="status" className={styles.change}>
      <h3>{t(`address.${what}`, { count })}</h3>
      <dl className={styles.lines}>
        <CLine
          label={t('address.old')}
          host={oldHost}
          port={oldPort}
          protocol={protocol}
          changes={changes}
          tone="old"
        />
        <CLine
          label={t('address.new')}
          host={newHost}
          port={newPort}
          protocol={protocol}
          changes={changes}
          tone="new"
        />
      </dl>
      <p>{explanation ?? t('address.explained')}</p>
      {listAddress && (
        <div>
          <a {...buttonLook({ variant: 'text', size: 'small' })} href={listAddress} download>
            {t('address.list')}
          </a>
        </div>
      )}
    </div>
  );
}

interface CLineProps {
  label: string;
  host: string;
  port: string | undefined;
  protocol: string | undefined;
  changes?: { host: boolean; port: boolean };
  tone?: 'old' | 'new';
}

function CLine({ label, changes, tone, port = '', ...address }: CLineProps) {
  return (
    <div data-tone={tone}>
      <dt>{label}</dt>
      <dd>
        <CustomerLine {...address} port={port} bold={changes} />
      </dd>
    </div>
  );
}

interface CustomerLineProps {
  host: string;
  port: string | number;
  protocol?: string | undefined;
  /** Which parts stand out; by default none. */
  bold?: { host: boolean; port: boolean } | undefined;
}

/** The C line that a customer enters, with words where name and password stand; of NewCamd its parts. */
export function CustomerLine({
  host,
  port,
  protocol = 'CCcam',
  bold = { host: false, port: false },
}: CustomerLineProps) {
  const { t } = useTranslation();
  const part = (text: ReactNode, isBold: boolean) => (isBold ? <b>{text}</b> : text);
  return (
    <bdi dir="ltr">
      {protocol.toLowerCase() === 'cccam' && 'C: '}
      {part(host, bold.host)} {part(port, bold.port)}{' '}
      <span className={styles.placeholder}>
        {t('address.username')} {t('address.password')}
      </span>
    </bdi>
  );
}
