import { applyMigrations } from '@linekeeper/contract/system.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { DatabaseZap, RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '#kit/commands/use-command.ts';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { results } from '#platform/state/results.ts';
import { CheckReport } from './check-report.tsx';
import { setupQuery } from './queries.ts';

export function SetupPage() {
  const { t } = useTranslation('system');
  const queryClient = useQueryClient();
  const report = useQuery(setupQuery());
  const migration = useCommand(applyMigrations, {
    done: ({ applied, ...found }) => {
      queryClient.setQueryData(setupQuery().queryKey, found);
      results.success(
        applied.length > 0 ? t('apply.done', { names: applied.join(', ') }) : t('apply.none'),
      );
    },
  });
  return (
    <>
      <PageHeader
        actions={
          <>
            <ButtonLink to="/supabase-test">{t('nav.connectionTest')}</ButtonLink>
            <Button
              icon={<RefreshCw />}
              pending={report.isFetching}
              onClick={() => void report.refetch()}
            >
              {t('checkAgain')}
            </Button>
            <Button
              variant="solid"
              icon={<DatabaseZap />}
              pending={migration.isPending}
              onClick={() => void migration.send()}
            >
              {t('apply.action')}
            </Button>
          </>
        }
      />
      <CheckReport title={t('report')} report={report} />
      {/* This part is shown after the report, which would push it down. */}
      {!report.isLoading && <SampleTickets />}
    </>
  );
}

const samples = ['channel', 'invoice', 'password'] as const;

/** Sample tickets, for panels that have none yet. They exist on this page only and are labelled. */
function SampleTickets() {
  const { t } = useTranslation('system');
  return (
    <Card title={t('samples.title')} className="mt-6">
      <p className="mb-4 text-text-2">{t('samples.text')}</p>
      <ul className="divided">
        {samples.map((sample) => (
          <li
            key={sample}
            className="flex items-start justify-between gap-3 py-4 px-0 first:pt-0 last:pb-0"
          >
            <h3 className="min-w-0 wrap-anywhere">{t(`samples.${sample}`)}</h3>
            <span className="flex-none">
              <Badge tone="info">{t('samples.label')}</Badge>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
