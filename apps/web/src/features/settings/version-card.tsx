import { formatDay } from '@linekeeper/contract/dates.ts';
import { getVersion } from '@linekeeper/contract/system.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Markdown } from '#kit/markdown/markdown.tsx';
import { Card } from '#kit/ui/card.tsx';
import { callQuery } from '#platform/api/call-query.ts';

/** The panel's version, and what a newer one changes, if one is known. */
export function VersionCard() {
  const { t } = useTranslation('settings');
  const { data } = useQuery(callQuery('system', getVersion));
  const { version, newer } = data ?? {};
  return (
    <Card title={t('panelVersion.title')}>
      <p>{version && t('version', { version })}</p>
      {newer && (
        <>
          <p className="mt-2 mb-4 font-semibold">
            {t('panelVersion.available', { version: newer.version, day: formatDay(newer.date) })}
          </p>
          <Markdown text={newer.changelog} />
        </>
      )}
    </Card>
  );
}
