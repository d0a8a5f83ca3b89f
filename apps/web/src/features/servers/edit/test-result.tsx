import { CircleCheck, CircleX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../shared/i18n/format-number.ts';
import { Banner } from '../../../shared/ui/states/banner.tsx';
import { TypedText } from '../../../shared/ui/typed-text.tsx';
import { useServerProblem } from '../use-server-problem.ts';
import styles from './server-form.module.css';
import type { FormTest } from './use-form-test.ts';

/** Result of testing the values in the form. */
export function TestResult({ test: { result, apiPort } }: { test: FormTest }) {
  const { t, i18n } = useTranslation('servers');
  const serverProblem = useServerProblem();
  if (!result) return null;
  const works = result.status === 'active';
  const { problem, advice } = serverProblem(result.finding, apiPort);
  return (
    <Banner tone={works ? 'success' : 'error'} title={works ? t('test.works') : problem}>
      {!works && <p>{advice}</p>}
      <dl className={styles.result}>
        <Step label={t('test.health')} isPassed={result.health} />
        <Step label={t('test.authentication')} isPassed={result.auth} />
        <div>
          <dt>{t('test.version')}</dt>
          <dd>
            <TypedText>{result.version ?? t('test.unknown')}</TypedText>
          </dd>
        </div>
        <div>
          <dt>{t('card.latency')}</dt>
          <dd>
            {result.latency_ms === null
              ? t('test.unknown')
              : `${formatNumber(result.latency_ms, i18n.language)} ${t('card.milliseconds')}`}
          </dd>
        </div>
      </dl>
    </Banner>
  );
}

function Step({ label, isPassed }: { label: string; isPassed: boolean }) {
  const { t } = useTranslation('servers');
  const Icon = isPassed ? CircleCheck : CircleX;
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Icon size={16} aria-hidden="true" />
        {t(isPassed ? 'test.passed' : 'test.notPassed')}
      </dd>
    </div>
  );
}
