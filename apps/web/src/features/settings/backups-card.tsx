import { getBackups } from '@linekeeper/contract/system.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '#kit/ui/card.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { SummaryRows } from '#kit/ui/summary-rows.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { callQuery } from '#platform/api/call-query.ts';

/** The card about the last backup: its time, the place of its copy, and what is wrong with it. */
export function BackupsCard() {
  const { t } = useTranslation('settings');
  const { data, error, refetch } = useQuery(callQuery('settings', getBackups));
  const row = (name: 'made' | 'copied' | 'readBack' | 'restored', at: string | null) => ({
    label: t(`backups.${name}`),
    value: at ? <Timestamp value={at} /> : t('recurring.never'),
  });
  return (
    <Card title={t('backups.title')} className="min-h-40">
      {error && !data && <FailedPanel error={error} onRetry={() => void refetch()} />}
      {data && (
        <div className="grid grid-cols-1 gap-4">
          {data.problem && (
            <Banner
              tone={data.missed > 0 ? 'error' : 'warning'}
              title={data.missed > 0 ? t('backups.missed', { count: data.missed }) : data.problem}
            >
              {data.missed > 0 && <p>{data.problem}</p>}
            </Banner>
          )}
          <p className="text-text-2 wrap-anywhere">
            {data.place ? t('backups.place', { place: data.place }) : t('backups.stay')}
          </p>
          <SummaryRows
            look="bare"
            rows={[
              row('made', data.made_at),
              ...(data.place
                ? [
                    row('copied', data.copied_at),
                    row('readBack', data.read_back_at),
                    row('restored', data.restored_at),
                  ]
                : []),
            ]}
          />
        </div>
      )}
    </Card>
  );
}
