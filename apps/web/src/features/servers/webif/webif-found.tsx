import { CircleCheck, CircleDashed, CircleX, FingerprintPattern } from 'lucide-react';
import { Fragment, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ArticleLink } from '#kit/ui/article-link.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { useFindingText } from '#platform/i18n/use-finding-text.ts';
import {
  type StepState,
  type WebifFound,
  type WebifStep,
  webifCause,
  webifSteps,
} from './webif-steps.ts';

interface WebifFoundProps {
  found: WebifFound;
  /** The confirmed certificate; null if the connection is not encrypted. */
  certificate: string | null;
  /** Called when an administrator confirms that the shown certificate is the card server's. */
  onConfirm: (fingerprint: string) => void;
  isConfirming?: boolean;
}

/** The steps of a test of OSCam's web interface, with advice on the one that failed. */
export function WebifFoundSteps(props: WebifFoundProps) {
  const { found, certificate, onConfirm, isConfirming = false } = props;
  const [refused, setRefused] = useState<string>();
  const isRefused = refused !== undefined && refused === found.tls_fingerprint;
  return (
    <div className="grid grid-cols-1 gap-4">
      {isRefused ? <Refused /> : !found.tls_fingerprint && <Cause found={found} />}
      <ul className="divided border border-divider-strong rounded-[12px]">
        {webifSteps(found, certificate).map((step) =>
          step.state === 'asked' && found.tls_fingerprint !== null ? (
            <CertificateQuestion
              key={step.name}
              now={found.tls_fingerprint}
              before={certificate}
              isConfirming={isConfirming}
              onConfirm={onConfirm}
              onRefuse={setRefused}
            />
          ) : (
            <FoundStep key={step.name} step={step} found={found} certificate={certificate} />
          ),
        )}
      </ul>
      <Loses found={found} />
    </div>
  );
}

/** Warns about the operator's own accounts that would lose settings by the panel's first change. */
function Loses({ found: { oscam } }: { found: WebifFound }) {
  const { t, i18n } = useTranslation('servers');
  if (!oscam || oscam.loses.count === 0) return null;
  const { count, items } = oscam.loses;
  const named = items.map(({ username, services }) => isolate(`${username} (${services})`));
  const accounts = new Intl.ListFormat(i18n.language).format(
    count > items.length ? [...named, '…'] : named,
  );
  return (
    <Banner tone="warning" title={t('webif.loses.title', { count })}>
      <p>{t('webif.loses.text', { accounts })}</p>
    </Banner>
  );
}

function Refused() {
  const { t } = useTranslation('servers');
  return (
    <Banner tone="error" title={t('webif.refused.title')}>
      <p>{t('webif.refused.text')}</p>
    </Banner>
  );
}

function Cause({ found }: { found: WebifFound }) {
  const { t } = useTranslation('servers');
  const findingText = useFindingText();
  const cause = webifCause(found);
  if (!cause) return null;
  const words = found.finding ? findingText(found.finding) : t('problem.unknown');
  const isNamed = cause !== 'other' && cause !== 'noAnswer';
  return (
    <Banner tone="error" title={isNamed ? t(`webif.cause.${cause}`) : words}>
      {isNamed && <p>{words}</p>}
      {cause === 'noAnswer' && <p>{t('webif.advice.noAnswer')}</p>}
      <p>
        <ArticleLink title={t('kind.oscam_webif.title')} />
      </p>
    </Banner>
  );
}

/** The look of a step: its name is not broken, and its details wrap. */
const STEP =
  'grid grid-cols-[20px_minmax(min-content,1fr)_minmax(0,auto)] items-start gap-x-3 min-h-11 py-[11px] px-4 [&>svg]:mt-px [&>:is(b,span)]:wrap-break-word [&>span:nth-child(3)]:text-end [&>div]:col-[2/4] phone:gap-x-2 phone:px-3';
const CODE = '[&_code]:block [&_code]:type-[400_12px/20px_var(--mono)] [&_code]:wrap-anywhere';

const looks: Record<StepState, string> = {
  passed: '[&>svg]:text-success-fg',
  failed: '[&>:is(svg,b)]:text-danger',
  asked: 'bg-warning-bg text-warning-fg',
  waiting: '[&>svg]:text-icon-quiet',
};
const icons: Record<StepState, typeof CircleCheck> = {
  passed: CircleCheck,
  failed: CircleX,
  asked: FingerprintPattern,
  waiting: CircleDashed,
};

interface FoundStepProps {
  step: WebifStep;
  found: WebifFound;
  certificate: string | null;
}

function FoundStep({ step: { name, state }, found, certificate }: FoundStepProps) {
  const { t } = useTranslation('servers');
  const Icon = icons[state];
  const words = { passed: 'health.passed', failed: 'state.failed' } as const;
  const title = useStepTitle()(name, state, found);
  return (
    <li className={`${STEP} ${CODE} ${looks[state]}`} data-state={state}>
      <Icon size={20} aria-hidden="true" />
      {state === 'waiting' ? (
        <span className="text-text-2">{title}</span>
      ) : (
        <b className="type-strong">{title}</b>
      )}
      <span className="text-text-2">
        {(state === 'passed' || state === 'failed') && (
          <span className="visually-hidden">{t(words[state])} </span>
        )}
        <StepEnd name={name} state={state} found={found} />
      </span>
      {name === 'certificate' && certificate && (
        <div>
          <Fingerprint>{certificate}</Fingerprint>
        </div>
      )}
    </li>
  );
}

function useStepTitle() {
  const { t } = useTranslation('servers');
  return (name: WebifStep['name'], state: StepState, { version }: WebifFound): ReactNode => {
    if (name === 'signedIn' && state === 'passed') return t('webif.step.mayChange');
    if (name === 'oscam' && version) return <TypedText>{version}</TypedText>;
    return t(`webif.step.${name}`);
  };
}

/** The fact at the end of a step. */
function StepEnd({ name, state, found }: WebifStep & { found: WebifFound }) {
  const { t, i18n } = useTranslation('servers');
  const { latency_ms, oscam, finding, tls_fingerprint } = found;
  if (state === 'waiting') {
    return t(tls_fingerprint === null ? 'webif.said.notTried' : 'webif.said.waits');
  }
  if (state === 'failed') return finding?.data.status ?? null;
  if (name === 'reached' && latency_ms !== null) {
    return `${formatNumber(latency_ms, i18n.language)} ${t('card.milliseconds')}`;
  }
  if (name === 'certificate') return t('webif.said.confirmed');
  if (name !== 'oscam' || !oscam) return null;
  const { accounts: count, own_accounts: own } = oscam;
  return `${t('webif.said.accounts', { count })}, ${t(own === 0 ? 'webif.said.noneOurs' : 'webif.said.ours', { own })}`;
}

/** A fingerprint, broken only between groups of eight bytes if there is room for them. */
function Fingerprint({ children }: { children: string }) {
  const groups = children.match(/.{1,24}/g) ?? [];
  return (
    <code>
      {groups.map((group) => (
        <Fragment key={group}>
          {group}
          <wbr />
        </Fragment>
      ))}
    </code>
  );
}

interface CertificateQuestionProps {
  now: string;
  /** The certificate that was confirmed before; null for the first one. */
  before: string | null;
  isConfirming: boolean;
  onConfirm: (fingerprint: string) => void;
  onRefuse: (fingerprint: string) => void;
}

/**
 * The question whether the certificate is the card server's. It is asked before any password is
 * sent, and again only if the certificate changes.
 */
function CertificateQuestion(props: CertificateQuestionProps) {
  const { now, before, isConfirming, onConfirm, onRefuse } = props;
  const { t } = useTranslation('servers');
  return (
    <li className={`${STEP} ${looks.asked}`} data-state="asked">
      <FingerprintPattern size={20} aria-hidden="true" />
      <b className="type-strong">{t(before ? 'webif.ask.changed' : 'webif.ask.same')}</b>
      <span />
      <div>
        {before && (
          <>
            <p className="text-inherit type-caption">{t('field.before')}</p>
            <Fingerprint>{before}</Fingerprint>
            <p className="mt-1 text-inherit type-caption">{t('field.now')}</p>
          </>
        )}
        <Fingerprint>{now}</Fingerprint>
        <p className="mt-1 text-inherit type-caption min-w-0 wrap-anywhere">
          {t('webif.ask.there')}
        </p>
        <div className="flex items-center flex-wrap gap-2 mt-2 [&>button]:border-0 [&>button]:text-inherit">
          <Button size="small" pending={isConfirming} onClick={() => onConfirm(now)}>
            {t(before ? 'webif.ask.yesChanged' : 'webif.ask.yes')}
          </Button>
          <Button size="small" onClick={() => onRefuse(now)}>
            {t('answer.no')}
          </Button>
        </div>
      </div>
    </li>
  );
}
