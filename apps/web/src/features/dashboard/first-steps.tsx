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
import { Divided, Muted, Row, Stack, Strong } from '#kit/ui/vocabulary.tsx';
import {
  preferencesQuery,
  useChangePreferences,
  usePreferences,
} from '#platform/data/preferences.ts';
import { useMe } from '#platform/data/session.ts';
import styles from './first-steps.module.css';

interface Step {
  name: 'server' | 'offer' | 'credits' | 'line' | 'trial' | 'payee' | 'reseller';
  isDone: boolean;
  to: NonNullable<LinkProps['to']>;
}

/** The way to the first sale, as far as the account may go it. */
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
  // There is one that no seller is offered yet.
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

/** A short path that ticks itself off by what there is, until it is done or hidden. */
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
      className={styles.card}
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
        className={styles.progress}
        aria-label={t('steps.title')}
        max={steps.length}
        value={done}
      />
      <Divided as="ol" className={styles.steps}>
        {steps.map((step, index) => (
          <StepRow key={step.name} step={step} number={index + 1} isNext={step === next} />
        ))}
      </Divided>
    </Card>
  );
}

interface StepRowProps {
  step: Step;
  number: number;
  isNext: boolean;
}

function StepRow({ step: { name, isDone, to }, number, isNext }: StepRowProps) {
  const { t } = useTranslation('dashboard');
  return (
    <Row as="li" gap={16} phoneGap={12} data-state={isDone ? 'done' : isNext ? 'next' : undefined}>
      <Muted rigid className={styles.number} aria-hidden="true">
        {isDone ? <Check size={16} /> : number}
      </Muted>
      <Stack as="span" grow wraps className={styles.texts}>
        <Strong as="strong">{t(`steps.${name}.title`)}</Strong>
        <small>{isDone ? t('steps.isDone') : t(`steps.${name}.text`)}</small>
        {!isDone && <ArticleLink title={t(`steps.${name}.article`)} />}
      </Stack>
      {!isDone && (
        <ButtonLink to={to} size="small" variant={isNext ? 'solid' : 'outlined'}>
          {t(`steps.${name}.action`)}
        </ButtonLink>
      )}
    </Row>
  );
}
