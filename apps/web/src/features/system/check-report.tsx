import type { ConnectionReport, SetupReport } from '@linekeeper/contract/system.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, LoaderCircle } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card } from '#kit/ui/card.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { Caption, Divided, Row, Text } from '#kit/ui/vocabulary.tsx';
import { formatNumber } from '#platform/i18n/format-number.ts';
import styles from './system.module.css';

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
        <Row as="p" gap={8} muted>
          <LoaderCircle size={16} className="turning" />
          {t('checking')}
        </Row>
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
      <Card title={title} className={styles.report}>
        <Divided>
          {data.checks.map((check) => (
            <CheckRow key={check.name} check={check} />
          ))}
        </Divided>
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
    <Row as="li" align="start" gap={12} className={styles.row}>
      <Icon size={20} color={`var(--${tone}-fg)`} aria-hidden="true" />
      <Text as="div" grow>
        <h3>
          {t(`checks.${check.name}.label`)}
          <Text caption tone={tone} className={styles.verdict}>
            {t(check.ok ? 'passed' : 'notPassed')}
          </Text>
        </h3>
        <Text as="p" wraps muted tone={check.ok ? undefined : tone}>
          {textOf(check)}
        </Text>
      </Text>
      <Caption rigid>
        {t('milliseconds', { value: formatNumber(Math.round(check.ms), i18n.language) })}
      </Caption>
    </Row>
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
