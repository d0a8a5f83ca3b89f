import type { Finding, FindingCode, UnreachableReason } from '@linekeeper/contract/findings.ts';
import { useTranslation } from 'react-i18next';
import { useFindingText } from '../../shared/i18n/use-finding-text.ts';

type Advice = 'port' | 'host' | 'secure' | 'api' | 'credentials' | 'settings';

const adviceOnReason: Partial<Record<UnreachableReason, Advice>> = {
  'certificate not trusted': 'secure',
  'secure connection failed': 'secure',
  'host not found or not allowed': 'host',
  'invalid response': 'api',
  'response too large': 'api',
};

const adviceOnCode: Partial<Record<FindingCode, Advice>> = {
  HEALTH_CHECK_FAILED: 'api',
  API_NOT_RESPONDING: 'api',
  AUTHENTICATION_FAILED: 'credentials',
  API_AUTHENTICATION_FAILED: 'credentials',
  CONFIGURATION_INCOMPLETE: 'settings',
};

/** The first thing to check, given the finding of a test. */
export function adviceOn({ code, data }: Finding): Advice {
  const reason = data.reason as UnreachableReason | undefined;
  return adviceOnCode[code] ?? (reason && adviceOnReason[reason]) ?? 'port';
}

export function useServerProblem() {
  const { t } = useTranslation('servers');
  const findingText = useFindingText();
  return (finding: Finding | null | undefined, apiPort: number) => ({
    problem: finding ? findingText(finding) : t('problem.unknown'),
    advice: t(`advice.${finding ? adviceOn(finding) : 'port'}`, { port: apiPort }),
  });
}
