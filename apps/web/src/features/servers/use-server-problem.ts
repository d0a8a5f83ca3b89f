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

/** Findings whose own sentence says what to do. */
const SAY_WHAT_TO_DO: readonly FindingCode[] = [
  'CERTIFICATE_CHANGED',
  'CERTIFICATE_UNKNOWN',
  'NOT_OSCAM',
  'OSCAM_FORBIDDEN',
  'OSCAM_NOT_WRITTEN',
  'OSCAM_READ_ONLY',
  'OSCAM_SIGN_IN',
  'PLAIN_HTTP',
];

/** The first thing to check, given the finding of a test; null if the finding says it. */
export function adviceOn({ code, data }: Finding): Advice | null {
  if (SAY_WHAT_TO_DO.includes(code)) return null;
  const reason = data.reason as UnreachableReason | undefined;
  return adviceOnCode[code] ?? (reason && adviceOnReason[reason]) ?? 'port';
}

export function useServerProblem() {
  const { t } = useTranslation('servers');
  const findingText = useFindingText();
  return (finding: Finding | null | undefined, apiPort: number) => {
    const advice = finding ? adviceOn(finding) : 'port';
    return {
      problem: finding ? findingText(finding) : t('problem.unknown'),
      advice: advice && t(`advice.${advice}`, { port: apiPort }),
    };
  };
}
