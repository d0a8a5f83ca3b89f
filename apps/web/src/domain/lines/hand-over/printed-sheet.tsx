import { formatDay } from '@linekeeper/contract/dates.ts';
import type { Reply } from '@linekeeper/contract/endpoint.ts';
import type { Line, lineServer } from '@linekeeper/contract/lines/lines.ts';
import type { Receivers } from '@linekeeper/contract/lines/receivers.ts';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addressOf, type LineServer, receiversOfLine } from '#domain/lines/line-server.ts';
import { sellerText } from '#domain/lines/seller-text.ts';
import { PrintSheet, usePrint } from '#kit/printing/print.tsx';
import { QrCode } from '#kit/ui/qr-code.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useMe } from '#platform/data/session.ts';
import { formatMoment } from '#platform/format/format-moment.ts';
import styles from './printed-sheet.module.css';

interface SheetProps {
  line: Line;
  wording: Reply<typeof lineServer>;
  password: string;
  onDone: () => void;
}

/** The sheet that is printed for a customer, with the receiver settings that the servers' protocols need. */
export function PrintedSheet({ onDone, line, wording, password }: SheetProps) {
  const { t, i18n } = useTranslation('lines');
  const { full_name, email } = useMe();
  const { siteName } = usePrint(onDone);
  const [now] = useState(() => new Date().toISOString());
  const { isUsual, language, fill } = sellerText(line, wording, 'handover', i18n.language);
  const seller = full_name ? `${full_name}, ${email}` : email;
  return (
    <PrintSheet>
      <div className={styles.sheet}>
        <header>
          <div>
            <p>
              <TypedText>{siteName}</TypedText>
            </p>
            <h1>{t('receivers.sheet.title')}</h1>
          </div>
          <div>
            <p>{t('add.validThrough')}</p>
            <strong>{formatDay(line.expiry_date)}</strong>
          </div>
        </header>
        {/* The default text repeats only what is printed below. */}
        {!isUsual && (
          <p className="whitespace-pre-wrap" lang={language}>
            <TypedText>{fill(password)}</TypedText>
          </p>
        )}
        {wording.servers.map((server) => (
          <ServerSections
            key={server.id}
            line={line}
            server={server}
            receivers={receiversOfLine(line, [server], password)}
          />
        ))}
        <footer>
          <p>
            <b>{t('receivers.sheet.questions')}</b> <TypedText>{seller}</TypedText>
          </p>
          <p>
            {t('receivers.sheet.holder')}{' '}
            {t('receivers.sheet.printed', { moment: formatMoment(now, i18n.language) })}
          </p>
        </footer>
      </div>
    </PrintSheet>
  );
}

interface SectionProps {
  line: Line;
  server: LineServer;
  /** Receiver settings with the password. */
  receivers: Receivers;
}

function ServerSections(section: SectionProps) {
  const { receivers } = section;
  return (
    <>
      {receivers.cccam && <CccamSection {...section} text={receivers.cccam} />}
      {receivers.newcamd.length > 0 && <NewcamdSection {...section} />}
    </>
  );
}

/** The password is the last word of a C line, which has no blanks in any of its words. */
const passwordOf = (text: string) => text.split(' ').at(-1) ?? '';

function CccamSection({ line, server, text }: SectionProps & { text: string }) {
  const { t } = useTranslation('lines');
  const id = useId();
  const { host, port } = addressOf(line, server);
  const rows = [
    ['server', host],
    ['port', port],
    ['username', line.username],
    ['password', passwordOf(text)],
  ] as const;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{t('receivers.sheet.forCccam')}</h2>
      <div className="print:grid print:grid-cols-[minmax(0,1fr)_34mm] print:gap-[6mm] print:items-start">
        <dl>
          {rows.map(([name, value]) => (
            <div
              key={name}
              className="print:grid print:grid-cols-[32mm_minmax(0,1fr)] print:gap-[3mm] print:py-[1.6mm] print:px-0 print:[border-bottom:0.2mm_solid_#999]"
            >
              <dt className="print:text-inherit">{t(`field.${name}`)}</dt>
              <dd className="print:font-semibold">
                <TypedText>{value}</TypedText>
              </dd>
            </div>
          ))}
        </dl>
        <QrCode text={text} label={t('receivers.qrOf', { form: t('receivers.cccam') })} />
      </div>
      <p className="print:mt-[4mm] print:py-[3mm] print:px-[4mm] print:[border:0.2mm_solid_#999] print:rounded-[2mm] print:type-[10pt/15pt_var(--mono)]">
        <TypedText>{text}</TypedText>
      </p>
    </section>
  );
}

function NewcamdSection({ line, server, receivers }: SectionProps) {
  const { t } = useTranslation('lines');
  const id = useId();
  const { host } = addressOf(line, server);
  // An N line is "N: host port name password" and the key.
  const password = receivers.newcamd[0]?.line.split(' ')[4] ?? '';
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{t('receivers.sheet.forNewcamd')}</h2>
      <p>
        {t('field.des_key')} <code>{receivers.des_key}</code>
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">CAID</th>
            <th scope="col">{t('field.server')}</th>
            <th scope="col">{t('field.port')}</th>
            <th scope="col">{t('field.username')}</th>
            <th scope="col">{t('field.password')}</th>
          </tr>
        </thead>
        <tbody>
          {receivers.newcamd.map(({ caid, port }) => (
            <tr key={port}>
              <th scope="row">{caid}</th>
              <td>{host}</td>
              <td>
                <b>{port}</b>
              </td>
              <td>
                <TypedText>{line.username}</TypedText>
              </td>
              <td>
                <TypedText>{password}</TypedText>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
