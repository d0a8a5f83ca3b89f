import type { Line } from '@linekeeper/contract/lines/lines.ts';
import {
  ArrowLeftRight,
  CirclePlay,
  Clock,
  type LucideIcon,
  MessageCircle,
  PencilLine,
  RefreshCw,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../shared/data/session.ts';
import { formatSince } from '../../../shared/format/format-moment.ts';
import { isolate } from '../../../shared/i18n/isolate.ts';
import { type OpenedLine, useLineDialogs } from '../../../shared/lines/actions.tsx';
import { ShareButton } from '../../../shared/lines/share-button.tsx';
import { useRetrySync } from '../../../shared/lines/use-retry-sync.ts';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { ButtonLink } from '../../../shared/ui/buttons/button-link.tsx';
import { IconTile } from '../../../shared/ui/icon-tile.tsx';
import { useNeedsConnection } from '../../../shared/ui/use-needs-connection.ts';
import { Caption, Divided, Row, Text } from '../../../shared/ui/vocabulary.tsx';
import styles from './line.module.css';
import type { LineStateName } from './state.ts';
import type { LineFactsShown } from './use-line-facts.ts';

const ways = ['wait', 'tryAgain', 'deliver', 'move', 'ask', 'rename', 'resume', 'tell'] as const;
type Way = (typeof ways)[number];

/** The ways out of a state, the best first. */
const waysOut: Partial<Record<LineStateName, readonly Way[]>> = {
  away: ['wait', 'move', 'ask', 'tell'],
  awayChange: ['wait', 'move', 'ask', 'tell'],
  refused: ['tryAgain', 'rename', 'move'],
  refusedChange: ['tryAgain'],
  lost: ['deliver'],
  longName: ['rename'],
  suspended: ['resume'],
};

/** The ways out that are the reader's to go. */
export function useWaysOut(line: Line, { name }: LineFactsShown): readonly Way[] {
  const { is_admin } = useMe();
  return (waysOut[name] ?? []).filter((way) => {
    if (way === 'move') return is_admin;
    if (way === 'ask') return !is_admin;
    return way !== 'resume' || line.suspension?.can_resume === true;
  });
}

interface WhatToDoProps {
  line: Line;
  facts: LineFactsShown;
}

export function WhatToDo({ line, facts }: WhatToDoProps) {
  const { t } = useTranslation('line');
  const ways = useWaysOut(line, facts);
  if (ways.length === 0) return null;
  return (
    <section aria-label={t('todo.title')}>
      <Text as="h2" below={8} className={styles.title}>
        {t('todo.title')}
      </Text>
      <Divided className={styles.todo}>
        {ways.map((way) => (
          <WayOut key={way} way={way} line={line} facts={facts} />
        ))}
      </Divided>
    </section>
  );
}

function WayOut({ way, line, facts }: WhatToDoProps & { way: Way }) {
  const { t, i18n } = useTranslation('line');
  const server = isolate(facts.serverName);
  const message = t('todo.message', { server: facts.serverName });
  const nextTry =
    facts.next_try_at &&
    t('todo.nextTry', { time: formatSince(Date.parse(facts.next_try_at), i18n.language) });
  switch (way) {
    case 'wait':
      return (
        <Step
          icon={Clock}
          title={t('todo.wait')}
          text={[t('todo.waitText', { server }), nextTry].filter(Boolean).join(' ')}
        >
          <TryNow line={line}>{t('todo.tryNow')}</TryNow>
        </Step>
      );
    case 'tryAgain':
      return (
        <Step icon={RefreshCw} title={t('todo.tryAgain')} text={t('todo.tryAgainText')}>
          <TryNow line={line}>{t('todo.tryNow')}</TryNow>
        </Step>
      );
    case 'deliver':
      return (
        <Step icon={RefreshCw} title={t('todo.deliver')} text={t('todo.deliverText')}>
          <TryNow line={line}>{t('todo.tryNow')}</TryNow>
        </Step>
      );
    case 'tell':
      return (
        <Step
          icon={MessageCircle}
          title={t('todo.tell')}
          text={t('todo.tellText', { text: message })}
        >
          <ShareButton getText={() => message} />
        </Step>
      );
    case 'move':
      return (
        <Step icon={ArrowLeftRight} title={t('todo.move')} text={t('todo.moveText')}>
          <Open line={line} action="move">
            {t('act.move')}
          </Open>
        </Step>
      );
    case 'ask':
      return (
        <Step icon={ArrowLeftRight} title={t('todo.ask')} text={t('todo.askText')}>
          <ButtonLink
            to="/tickets/new"
            search={{ title: t('act.askTitle', { username: line.username }), about: line.id }}
          >
            {t('act.ask')}
          </ButtonLink>
        </Step>
      );
    case 'rename':
      return (
        <Step icon={PencilLine} title={t('todo.rename')} text={t('todo.renameText')}>
          <Open line={line} action="rename">
            {t('line.name.rename')}
          </Open>
        </Step>
      );
    case 'resume':
      return (
        <Step icon={CirclePlay} title={t('todo.resume')} text={t('todo.resumeText')}>
          <Open line={line} action="resume">
            {t('act.resume')}
          </Open>
        </Step>
      );
  }
}

interface StepProps {
  icon: LucideIcon;
  title: string;
  text: string;
  children: ReactNode;
}

function Step({ icon: Icon, title, text, children }: StepProps) {
  return (
    <Row as="li" gap={16} phoneGap={12}>
      <Text as="div" onlyWide>
        <IconTile tone="neutral">
          <Icon size={18} />
        </IconTile>
      </Text>
      <Text as="div" grow>
        <Text as="p" semibold>
          {title}
        </Text>
        <Caption as="p" wraps>
          {text}
        </Caption>
      </Text>
      {children}
    </Row>
  );
}

function TryNow({ line, children }: { line: Line; children: string }) {
  const { retry, isPending } = useRetrySync(line);
  return (
    <Button
      icon={<RefreshCw />}
      pending={isPending}
      blocked={useNeedsConnection()}
      onClick={() => void retry()}
    >
      {children}
    </Button>
  );
}

interface OpenProps {
  line: Line;
  action: OpenedLine['action'];
  children: string;
}

function Open({ line, action, children }: OpenProps) {
  const { open } = useLineDialogs();
  return (
    <Button
      aria-haspopup="dialog"
      blocked={useNeedsConnection()}
      onClick={({ currentTarget }) => open({ action, line, anchor: currentTarget })}
    >
      {children}
    </Button>
  );
}
