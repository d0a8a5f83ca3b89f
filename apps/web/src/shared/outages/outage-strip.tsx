import type { Outage, Outages, PastOutage } from '@linekeeper/contract/servers/outages.ts';
import { Link } from '@tanstack/react-router';
import { ChevronRight, CircleCheck, ServerOff, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keptInTab } from '../browser/storage.ts';
import { useIsPhone } from '../browser/use-is-phone.ts';
import { useMe } from '../data/session.ts';
import { formatSince } from '../format/format-moment.ts';
import { isolate } from '../i18n/isolate.ts';
import { localeOf } from '../i18n/languages.ts';
import { useFindingText } from '../i18n/use-finding-text.ts';
import { useScreen } from '../layout/use-screen.ts';
import { lazyPart } from '../start/lazy-part.tsx';
import { Button } from '../ui/buttons/button.tsx';
import { ButtonLink } from '../ui/buttons/button-link.tsx';
import { IconButton } from '../ui/buttons/icon-button.tsx';
import { Row, Strong, Text } from '../ui/vocabulary.tsx';
import styles from './outage-strip.module.css';

/** With more names the strip would push the page out of a phone. */
const NAMED = 3;

/** One strip for all servers that do not respond and for all changes that wait for them; another for those that do again. */
export function OutageStrips({ outages }: { outages: Outages }) {
  return (
    <>
      {outages.items.length > 0 && <AwayStrip outages={outages} />}
      {outages.over.length > 0 && <OverStrip over={outages.over} />}
    </>
  );
}

function AwayStrip({ outages }: { outages: Outages }) {
  const { is_admin } = useMe();
  const isPhone = useIsPhone();
  const isInner = useScreen().parent !== undefined;
  const texts = useOutageTexts(outages);
  if (isPhone && isInner) {
    return (
      <WholeStrip outages={outages} isShort>
        <Text grow cut strong>
          {texts.short}
        </Text>
      </WholeStrip>
    );
  }
  const text = (
    <Text grow wraps className={styles.text}>
      <Strong>{texts.title}</Strong> {texts.more}
    </Text>
  );
  if (isPhone && !is_admin) {
    return <WholeStrip outages={outages}>{text}</WholeStrip>;
  }
  return (
    <Row gap={12} className={`${styles.strip} ${styles.withActions}`} role="status">
      <ServerOff size={20} aria-hidden="true" />
      {text}
      <Row gap={8} className={styles.actions}>
        {is_admin ? <AdminActions items={outages.items} /> : <ShowLines outages={outages} />}
      </Row>
    </Row>
  );
}

function AdminActions({ items }: { items: readonly Outage[] }) {
  const { t, i18n } = useTranslation();
  // Customers of the others notice nothing.
  const silent = items.filter(({ no_access }) => !no_access);
  const untold = silent.find(({ told_at }) => told_at === null);
  const told = untold ?? silent[0];
  const last =
    silent
      .map(({ told_at }) => told_at ?? '')
      .sort()
      .at(-1) ?? '';
  return (
    <>
      {told && (
        <ButtonLink size="small" to="/messages/create" search={{ server: told.server_id }}>
          <Text cut>
            {untold
              ? t(items.length > 1 ? 'outage.tellOf' : 'outage.tell', { name: untold.server_name })
              : t('outage.told', { time: formatSince(Date.parse(last), i18n.language) })}
          </Text>
        </ButtonLink>
      )}
      {items.length === 1 && items[0] ? (
        <OneServer outage={items[0]} />
      ) : (
        <ButtonLink
          size="small"
          variant="solid"
          tone="danger"
          to="/cccam-servers/manage"
          search={{ status: 'error' }}
        >
          {t('outage.servers')}
        </ButtonLink>
      )}
    </>
  );
}

/** The button that leads on: to move the lines, or to the server's page if only the panel cannot change it. */
function OneServer({ outage }: { outage: Outage }) {
  const { t } = useTranslation();
  if (!outage.no_access) return <MoveLines outage={outage} />;
  return (
    <ButtonLink
      size="small"
      variant="solid"
      tone="danger"
      to="/cccam-servers/$id"
      params={{ id: outage.server_id }}
    >
      {t('outage.open')}
    </ButtonLink>
  );
}

const MoveLinesDialog = lazyPart(
  () => import('../lines/move/move-lines-dialog.tsx'),
  'MoveLinesDialog',
  { texts: 'servers' },
);

function MoveLines({ outage: { server_id, server_name, lines } }: { outage: Outage }) {
  const { t } = useTranslation();
  const [isMoving, setMoving] = useState(false);
  const server = { id: server_id, server_name, line_count: lines };
  return (
    <>
      <Button size="small" variant="solid" tone="danger" onClick={() => setMoving(true)}>
        {t('outage.move')}
      </Button>
      {isMoving && <MoveLinesDialog server={server} onClose={() => setMoving(false)} />}
    </>
  );
}

function sum<Name extends string>(items: readonly Record<Name, number>[], name: Name): number {
  return items.reduce((total, one) => total + one[name], 0);
}

const serversOf = ({ items }: Outages) => items.map(({ server_id }) => server_id).join(',');

function ShowLines({ outages }: { outages: Outages }) {
  const { t } = useTranslation();
  return (
    <ButtonLink size="small" to="/users/all" search={{ server: serversOf(outages) }}>
      {t('outage.show', { count: sum(outages.items, 'lines') })}
    </ButtonLink>
  );
}

interface WholeStripProps {
  outages: Outages;
  /** One line, on inner pages. */
  isShort?: boolean;
  children: ReactNode;
}

/** On a phone the strip is the link: to the lines on the servers; for administrators to all that needs attention. */
function WholeStrip({ outages, isShort, children }: WholeStripProps) {
  const { is_admin } = useMe();
  const content = (
    <Row as="span" gap={12} className={`${styles.strip} ${isShort ? styles.short : ''}`}>
      <ServerOff size={20} aria-hidden="true" />
      {children}
      <ChevronRight size={20} aria-hidden="true" />
    </Row>
  );
  const search = { server: serversOf(outages) };
  return (
    <div role="status">
      {is_admin ? (
        <Link to="/" className={styles.whole}>
          {content}
        </Link>
      ) : (
        <Link to="/users/all" search={search} className={styles.whole}>
          {content}
        </Link>
      )}
    </div>
  );
}

function useOutageTexts({ items, accounts, new_sales_server }: Outages) {
  const { t, i18n } = useTranslation();
  const { is_admin } = useMe();
  const findingText = useFindingText();
  const [first] = items;
  const sinceOf = ({ since }: Outage) => formatSince(Date.parse(since), i18n.language);
  const lines = sum(items, 'lines');
  const waiting = sum(items, 'waiting');
  const count = items.length;
  const isOne = count === 1 && first;
  const more = count - NAMED;
  const each = items
    .slice(0, NAMED)
    .map((one) => t('outage.since', { name: one.server_name, time: sinceOf(one) }));
  const names = { names: first?.server_name ?? '', time: first ? sinceOf(first) : '' };
  const isAccess = items.some(({ no_access }) => no_access);
  const several = t(isAccess ? 'outage.severalUnchanged' : 'outage.several', { count });
  const one = isAccess ? t('outage.unchanged', names) : undefined;
  // The lines of the others go on.
  const silent = items.filter(({ no_access }) => !no_access);
  const isCertain = silent.every(({ port_answers }) => port_answers === false);
  const customers = silent.length === 0 ? 'goOn' : isCertain ? 'portToo' : 'portUnknown';
  const yours = t(isCertain ? 'outage.yours' : 'outage.yoursMaybe', { count: lines });
  return {
    title: isOne ? (one ?? t('outage.title', names)) : several,
    short: isOne ? (one ?? t('outage.short', names)) : several,
    more: [
      ...(isOne && one && first.finding ? [findingText(first.finding).replace(/\.?$/, '.')] : []),
      ...(isOne ? [] : [`${[...each, ...(more > 0 ? [`+${more}`] : [])].join(', ')}.`]),
      is_admin
        ? t('outage.linesOf', {
            count: lines,
            accounts: t('outage.accounts', { count: accounts }),
          })
        : silent.length > 0
          ? yours
          : '',
      ...(isOne ? [t(`outage.${customers}`)] : []),
      ...(waiting > 0 ? [t('outage.waiting', { count: waiting })] : []),
      ...(waiting === 0 && !is_admin ? [t('outage.willWait')] : []),
      new_sales_server === null
        ? t('outage.noSales')
        : t('outage.sales', { name: new_sales_server }),
    ]
      .filter(Boolean)
      .join(' '),
  };
}

const CLOSED = 'linekeeper:closed-outages';
const nameOf = ({ server_id, over_since }: PastOutage) => `${server_id} ${over_since}`;

/** Says that servers respond again, until it is closed or they have done so for ten minutes. */
function OverStrip({ over }: { over: readonly PastOutage[] }) {
  const { t, i18n } = useTranslation();
  const [closed, setClosed] = useState(() => keptInTab.read(CLOSED) ?? '');
  const shown = over.filter((one) => !closed.includes(nameOf(one)));
  const [newest] = shown;
  if (!newest) return null;
  const close = () => {
    const names = over.map(nameOf).join(',');
    keptInTab.write(CLOSED, names);
    setClosed(names);
  };
  const waiting = sum(shown, 'waiting');
  const sent = sum(shown, 'sent');
  // Each by itself, because the sentence isolates them only together.
  const names = shown.map(({ server_name }) => isolate(server_name)).join(', ');
  const lasted = Date.parse(newest.over_since) - Date.parse(newest.since);
  const isAccess = shown.every(({ no_access }) => no_access);
  return (
    <Row gap={12} className={styles.strip} data-tone="success" role="status">
      <CircleCheck size={20} aria-hidden="true" />
      <Text grow wraps>
        <Strong>
          {t(isAccess ? 'outage.overUnchanged' : 'outage.over', {
            count: shown.length,
            names,
            time: formatSince(Date.parse(newest.over_since), i18n.language),
          })}
        </Strong>{' '}
        {shown.length === 1 &&
          !isAccess &&
          t('outage.lasted', { duration: formatLength(lasted, i18n.language) })}{' '}
        {sent > 0 && t('outage.sent', { count: sent })}{' '}
        {waiting > 0 && t('outage.stillWaiting', { count: waiting })}
        {sent + waiting === 0 && t('outage.nothingSent')}
      </Text>
      <IconButton size="small" label={t('action.dismiss')} onClick={close}>
        <X size={20} />
      </IconButton>
    </Row>
  );
}

const MINUTE_MS = 60_000;
const MOST_MINUTES = 120;

/** Minutes, and hours from two on. */
function formatLength(length: number, language: string): string {
  const minutes = Math.max(1, Math.round(length / MINUTE_MS));
  const isLong = minutes >= MOST_MINUTES;
  return new Intl.NumberFormat(localeOf(language), {
    style: 'unit',
    unit: isLong ? 'hour' : 'minute',
    unitDisplay: 'long',
    maximumFractionDigits: 0,
  }).format(isLong ? minutes / 60 : minutes);
}
