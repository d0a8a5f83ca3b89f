import { applyMigrations } from '@linekeeper/contract/system.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { DatabaseZap, RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../shared/commands/use-command.ts';
import { PageHeader } from '../../shared/layout/page-header.tsx';
import { toast } from '../../shared/state/toast.ts';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { ButtonLink } from '../../shared/ui/buttons/button-link.tsx';
import { useNeedsConnection } from '../../shared/ui/use-needs-connection.ts';
import { CheckReport } from './check-report.tsx';
import { setupQuery } from './queries.ts';
import { SampleTickets } from './sample-tickets.tsx';

/** A report on the set-up of the database, and the button that applies migrations. */
export function SetupPage() {
  const { t } = useTranslation('system');
  const blocked = useNeedsConnection();
  const queryClient = useQueryClient();
  const report = useQuery(setupQuery());
  const migration = useCommand(applyMigrations, {
    done: ({ applied, ...found }) => {
      queryClient.setQueryData(setupQuery().queryKey, found);
      toast.success(
        applied.length > 0 ? t('apply.done', { names: applied.join(', ') }) : t('apply.none'),
      );
    },
  });
  return (
    <>
      <PageHeader
        text={t('setup.text')}
        actions={
          <>
            <ButtonLink to="/supabase-test">{t('nav.connectionTest')}</ButtonLink>
            <Button
              icon={<RefreshCw aria-hidden="true" />}
              pending={report.isFetching}
              onClick={() => void report.refetch()}
            >
              {t('checkAgain')}
            </Button>
            <Button
              variant="solid"
              icon={<DatabaseZap aria-hidden="true" />}
              blocked={blocked}
              pending={migration.isPending}
              onClick={() => void migration.send()}
            >
              {t('apply.action')}
            </Button>
          </>
        }
      />
      <CheckReport title={t('report')} report={report} />
      {/* Shown before the report it would be pushed down by it. */}
      {!report.isLoading && <SampleTickets />}
    </>
  );
}
