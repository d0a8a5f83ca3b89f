import type { FirstSteps as Steps } from '@linekeeper/contract/dashboard.ts';
import { useQuery } from '@tanstack/react-query';
import type { LinkProps } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { serverChoicesQuery } from '#domain/servers/server-choices.ts';
import { ArticleLink } from '#kit/ui/article-link.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card, CardSummary } from '#kit/ui/card.tsx';
import {
  preferencesQuery,
  useChangePreferences,
  usePreferences,
} from '#platform/data/preferences.ts';
import { useMe } from '#platform/data/session.ts';

interface Step {
  name: 'server' | 'offer' | 'credits' | 'line' | 'trial' | 'payee' | 'reseller';
  isDone: boolean;
  to: NonNullable<LinkProps['to']>;
}

const texts = {
  server: { title: 'steps.server', action: 'nav.addServer', article: 'steps.article.server' },
  offer: { title: 'steps.offer', action: 'nav.servers', article: 'steps.article.server' },
  credits: { title: 'steps.credits', action: 'nav.topUpCredits', article: 'steps.article.credits' },
  line: { title: 'shortcuts.addLine', action: 'nav.addLine', article: 'steps.article.sell' },
  trial: { title: 'steps.trial', action: 'nav.addLine', article: 'steps.article.sell' },
  payee: { title: 'steps.payee', action: 'nav.pricing', article: 'steps.article.payee' },
  reseller: {
    title: 'steps.reseller',
    action: 'nav.addAccount',
    article: 'steps.article.reseller',
  },
} as const;

/** The steps to the first sale, as far as the account may take them. */
function useSteps({ server, line, payee, account }: Steps): Step[] {
  const { is_admin, credits } = useMe();
  const isWithoutServer = is_admin && server === false;
  const { data: choices } = useQuery({ ...serverChoicesQuery(), enabled: isWithoutServer });
  if (line === null) return [];
  if (!is_admin) {
    return [
      { name: 'credits', isDone: credits > 0 || line, to: '/payments/pricing' },
      { name: 'line', isDone: line, to: '/users/add' },
    ];
  }
  // True if a server exists that is not offered to sellers yet.
  const isWithheld = isWithoutServer && (choices?.length ?? 0) > 0;
  return [
    isWithheld
      ? { name: 'offer', isDone: false, to: '/cccam-servers/manage' }
      : { name: 'server', isDone: server === true, to: '/cccam-servers/add' },
    { name: 'payee', isDone: payee === true, to: '/payments/pricing' },
    { name: 'reseller', isDone: account === true, to: '/resellers/add' },
    { name: 'trial', isDone: line, to: '/users/add' },
  ];
}

/**
 * The list of first steps on the dashboard. Each is ticked off once its result exists, and the list
 * disappears when all are, or when it is hidden.
 */
export function FirstSteps({ steps: given }: { steps: Steps }) {
  const { t } = useTranslation('dashboard');
  const steps = useSteps(given);
  const { first_steps } = usePreferences();
  const isKnown = useQuery(preferencesQuery()).isSuccess;
  const { change, offerUndo } = useChangePreferences();
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.find(({ isDone }) => !isDone);
  if (!next || !first_steps || !isKnown) return null;
  const hide = () => {
    change({ first_steps: false });
    offerUndo(t('steps.hidden'), { first_steps: true });
  };
  return (
    <Card
      flush
      className="[&>:first-child]:items-start [&>:first-child]:[&>button]:-mt-0.5 [&>:first-child]:[&>button]:-mr-2 [&>:first-child]:[&>button]:mb-0 [&>:first-child]:[&>button]:ml-0"
      aria-label={t('steps.title')}
      title={
        <>
          {t('steps.title')}
          <CardSummary>{t('steps.done', { done, all: steps.length })}</CardSummary>
        </>
      }
      action={
        <Button variant="text" size="small" onClick={hide}>
          {t('steps.hide')}
        </Button>
      }
    >
      <progress
        className="w-auto h-2 mt-0 mx-(--card-pad) mb-2"
        aria-label={t('steps.title')}
        max={steps.length}
        value={done}
      />
      <ol className="divided overflow-hidden [border-radius:0_0_var(--radius-card)_var(--radius-card)] [&_li]:py-4 [&_li]:px-(--card-pad) [&_li[data-state=next]]:bg-selected phone:[&_li]:flex-wrap phone:[&_li]:py-3 phone:[&_li>:is(a,button)]:ms-11">
        {steps.map((step, index) => (
          <StepRow key={step.name} step={step} number={index + 1} isNext={step === next} />
        ))}
      </ol>
    </Card>
  );
}

interface StepRowProps {
  step: Step;
  number: number;
  isNext: boolean;
}

const DONE = 'border-success-bg bg-success-bg text-success-fg';
const NEXT = 'border-primary text-primary';
const LATER = 'border-divider-strong text-text-2';

function StepRow({ step: { name, isDone, to }, number, isNext }: StepRowProps) {
  const { t } = useTranslation('dashboard');
  const { title, action, article } = texts[name];
  return (
    <li
      className="flex items-center gap-4 phone:gap-3"
      data-state={isDone ? 'done' : isNext ? 'next' : undefined}
    >
      <span
        className={`flex-none grid place-items-center w-8 h-8 border-2 rounded-[50%] type-[700_14px/1_var(--font)] ${isDone ? DONE : isNext ? NEXT : LATER}`}
        aria-hidden="true"
      >
        {isDone ? <Check size={16} /> : number}
      </span>
      <span className="grid grid-cols-1 flex-1 min-w-0 wrap-anywhere [[data-state=done]>&_strong]:text-text-2 [[data-state=done]>&_strong]:font-medium phone:basis-[calc(100%_-_44px)]">
        <strong className="type-strong">{t(title)}</strong>
        {isDone ? <small>{t('recurring.done')}</small> : <ArticleLink title={t(article)} />}
      </span>
      {!isDone && (
        <ButtonLink to={to} size="small" variant={isNext ? 'solid' : 'outlined'}>
          {t(action)}
        </ButtonLink>
      )}
    </li>
  );
}
