import type { ConnectionReport, SetupReport } from '@linekeeper/contract/system.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, LoaderCircle } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card } from '#kit/ui/card.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { formatNumber } from '#platform/i18n/format-number.ts';

type Report = SetupReport | ConnectionReport;
type Check = Report['checks'][number];

interface CheckReportProps {
  title: string;
  report: UseQueryResult<Report>;
}

export function CheckReport({
  title,
  report: { data, error, refetch, isFetching },
}: CheckReportProps) {
  const { t } = useTranslation('system');
  if (error && !isFetching) return <FailedPanel error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <Card aria-busy="true">
        <p className="flex items-center gap-2 text-text-2">
          <LoaderCircle size={16} className="turning" />
          {t('checking')}
        </p>
      </Card>
    );
  }
  const failed = data.checks.filter(({ ok }) => !ok).length;
  return (
    <>
      <div role="status">
        <Banner
          tone={failed > 0 ? 'error' : 'success'}
          title={failed > 0 ? t('failed', { count: failed }) : t('allOk')}
        />
      </div>
      <Card title={title} className="mt-6">
        <ul className="divided">
          {data.checks.map((check) => (
            <CheckRow key={check.name} check={check} />
          ))}
        </ul>
      </Card>
    </>
  );
}

function CheckRow({ check }: { check: Check }) {
  const { t, i18n } = useTranslation('system');
  const textOf = useCheckText();
  const Icon = check.ok ? CircleCheck : CircleAlert;
  const tone = check.ok ? 'success' : 'error';
  return (
    <li className="flex items-start gap-3 py-4 px-0 first:pt-0 last:pb-0 [&>svg]:mt-px">
      <Icon size={20} color={`var(--color-${tone}-fg)`} aria-hidden="true" />
      <div className="flex-1 min-w-0">
        <h3>
          {t(`checks.${check.name}.label`)}
          <span className={`ms-2 type-caption ${check.ok ? 'text-success-fg' : 'text-error-fg'}`}>
            {t(check.ok ? 'health.passed' : 'notPassed')}
          </span>
        </h3>
        <p className={`min-w-0 wrap-anywhere ${check.ok ? 'text-text-2' : 'text-error-fg'}`}>
          {textOf(check)}
        </p>
      </div>
      <span className="flex-none text-text-2 type-caption">
        {t('milliseconds', { value: formatNumber(Math.round(check.ms), i18n.language) })}
      </span>
    </li>
  );
}

/** The finding in the reader's language, or the figures of a check that found nothing. */
function useCheckText(): (check: Check) => string {
  const { t, i18n } = useTranslation('system');
  return ({ name, finding, data }) => {
    const replace = Object.fromEntries(
      Object.entries(data).map(([key, value]) => [
        key,
        typeof value === 'number' ? formatNumber(value, i18n.language) : (value ?? ''),
      ]),
    );
    if (finding) return t(`findings.${finding}`, { replace });
    if (name === 'users' && data.id === null) return t('noLine');
    return t(`checks.${name}.ok`, { replace });
  };
}
