import { useQuery } from '@tanstack/react-query';
import { ServerOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { outagesQuery } from '../data/outages.ts';
import { useCan } from '../data/session.ts';
import { formatSince } from '../format/format-since.ts';
import { isolate } from '../i18n/isolate.ts';
import { ButtonLink } from '../ui/buttons/button-link.tsx';
import { Row } from '../ui/vocabulary.tsx';
import styles from './offline-banner.module.css';

/** With more names the strip would push the page out of a phone. */
const NAMED = 3;

/** One strip for all servers that do not answer, and for all changes that wait for them. */
export function OutageStrip() {
  return useCan(['view_users']) ? <Strip /> : null;
}

function Strip() {
  const { t, i18n } = useTranslation();
  const { data } = useQuery(outagesQuery());
  const [first, ...others] = data?.items ?? [];
  if (!first) return null;
  const away = [first, ...others];
  const sum = (name: 'lines' | 'waiting') => away.reduce((total, one) => total + one[name], 0);
  const waiting = sum('waiting');
  const more = away.length - NAMED;
  const names = [
    ...away.slice(0, NAMED).map(({ server_name }) => isolate(server_name)),
    ...(more > 0 ? [`+${more}`] : []),
  ].join(', ');
  const time = formatSince(Date.parse(first.since), i18n.language);
  return (
    <Row gap={12} className={styles.banner} data-tone="error" role="status">
      <ServerOff size={18} aria-hidden="true" />
      <span className={styles.text}>
        <b>{t(away.length > 1 ? 'outage.several' : 'outage.title', { names, time })}</b>{' '}
        {t('outage.lines', { count: sum('lines') })}{' '}
        {waiting > 0 && t('outage.waiting', { count: waiting })}
      </span>
      <ButtonLink
        size="small"
        to="/users/all"
        search={{ server: away.map(({ server_id }) => server_id).join(',') }}
      >
        {t('outage.show')}
      </ButtonLink>
    </Row>
  );
}
