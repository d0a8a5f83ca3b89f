import type { Finding, FindingCode, UnreachableReason } from '@linekeeper/contract/findings.ts';
import type { ServerKind } from '@linekeeper/contract/servers/servers.ts';
import { useTranslation } from 'react-i18next';
import { useFindingText } from '#platform/i18n/use-finding-text.ts';

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

/** Findings whose own sentence includes the remedy. */
const SAY_WHAT_TO_DO: readonly FindingCode[] = [
  'AGENT_NOT_ALLOWED',
  'CERTIFICATE_CHANGED',
  'CERTIFICATE_UNKNOWN',
  'HTTPS_EXPECTED',
  'HTTP_EXPECTED',
  'NOT_OSCAM',
  'OSCAM_FORBIDDEN',
  'OSCAM_NOT_WRITTEN',
  'OSCAM_READ_ONLY',
  'OSCAM_SIGN_IN',
  'PLAIN_HTTP',
];

/** Advice on the first thing to check after a failed test; null if the finding itself includes it. */
export function adviceOn({ code, data }: Finding): Advice | null {
  if (SAY_WHAT_TO_DO.includes(code)) return null;
  const reason = data.reason as UnreachableReason | undefined;
  return adviceOnCode[code] ?? (reason && adviceOnReason[reason]) ?? 'port';
}

/** The advice for OSCam's web interface, instead of advice that names an API. */
const webifAdvice: Partial<Record<Advice, 'noAnswer' | 'secure'>> = {
  port: 'noAnswer',
  api: 'noAnswer',
  secure: 'secure',
};

interface Asked {
  kind: ServerKind;
  api_port: number;
}

export function useProblemText() {
  const { t } = useTranslation('servers');
  const findingText = useFindingText();
  return (found: Finding | null | undefined): string =>
    found ? findingText(found) : t('problem.unknown');
}

/** The problem of a server, with the first thing to check. */
export function useServerProblem() {
  const { t } = useTranslation('servers');
  const problemText = useProblemText();
  return (found: Finding | null | undefined, { kind, api_port }: Asked) => {
    const advice = found ? adviceOn(found) : 'port';
    const inOscam = kind === 'oscam_webif' && advice ? webifAdvice[advice] : undefined;
    return {
      problem: problemText(found),
      advice: inOscam
        ? t(`webif.advice.${inOscam}`)
        : advice && t(`advice.${advice}`, { port: api_port }),
    };
  };
}
