import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { CheckReport } from './check-report.tsx';
import { connectionQuery } from './queries.ts';

export function ConnectionPage() {
  const { t } = useTranslation('system');
  const report = useQuery(connectionQuery());
  return (
    <>
      <PageHeader
        actions={
          <>
            <ButtonLink to="/tickets/setup">{t('nav.setup')}</ButtonLink>
            <Button
              variant="solid"
              icon={<RefreshCw />}
              pending={report.isFetching}
              onClick={() => void report.refetch()}
            >
              {t('checkAgain')}
            </Button>
          </>
        }
      />
      <CheckReport title={t('report')} report={report} />
    </>
  );
}
