import { approveTopUp, type TopUp } from '@linekeeper/contract/credits/top-ups.ts';
import { ArrowRight, Check } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isPayable, PayButton, ReceiptLink } from '#features/top-ups/top-up-actions.tsx';
import { Flags, StatusBadge } from '#features/top-ups/top-up-cells.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { useListSearch } from '#kit/list/use-list.ts';
import { confirm } from '#kit/overlays/dialogs/confirm.tsx';
import { Avatar } from '#kit/ui/avatar.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { Highlight } from '#kit/ui/highlight.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { Row, Stack, Strong, Text } from '#kit/ui/vocabulary.tsx';
import { useMe } from '#platform/data/session.ts';
import { formatMoment, formatMomentInUtc } from '#platform/format/format-moment.ts';
import { formatPrice } from '#platform/format/format-price.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { results } from '#platform/state/results.ts';
import { DeclineForm } from './decline-form.tsx';
import styles from './queue.module.css';
import { ResolveButton } from './resolve-button.tsx';

interface QueueCardProps {
  topUp: TopUp;
  onDecided: (decided: TopUp) => void;
}

/** A top-up as administrators see it: who asks for how much, and the decision. */
export function QueueCard({ topUp, onDecided }: QueueCardProps) {
  const { t, i18n } = useTranslation('topUps');
  const [isDeclining, setDeclining] = useState(false);
  const { status, credits, price_minor, currency, method, note, reason } = topUp;
  const asksWhy = isDeclining && status === 'pending';
  return (
    <Card as="li" className={styles.card}>
      <Row wrap className={styles.top}>
        <Avatar accountId={topUp.account_id} name={topUp.account_name} />
        <Who topUp={topUp} />
        <span className={styles.amount}>
          <b>+{t('credits.amount', { count: credits })}</b>
          <small>
            {formatPrice(price_minor, currency, i18n.language)} · {t(`methods.${method}`)}
          </small>
        </span>
        {!asksWhy && (
          <Actions topUp={topUp} onDecided={onDecided} onDecline={() => setDeclining(true)} />
        )}
        {note && <QuotedText title={t('field.note')}>{note}</QuotedText>}
        {reason && <QuotedText title={t('reject.reason')}>{reason}</QuotedText>}
        <GivenSince topUp={topUp} />
        <div className={styles.flags}>
          <Flags topUp={topUp} />
        </div>
      </Row>
      {asksWhy && (
        <DeclineForm topUp={topUp} onDeclined={onDecided} onCancel={() => setDeclining(false)} />
      )}
    </Card>
  );
}

function Who({ topUp }: { topUp: TopUp }) {
  const { account_name, account_email, number } = topUp;
  const q = useListSearch().search.q?.trim() ?? '';
  return (
    <Stack as="span" grow wraps className={styles.who}>
      <Strong cut title={isolate(account_email)}>
        <Highlight text={account_name} part={q} />
      </Strong>
      <small>
        <Balance topUp={topUp} /> · <TimeSince topUp={topUp} /> ·{' '}
        <span className={styles.number}>{number}</span>
      </small>
    </Stack>
  );
}

/** As it is now; once approved how it became by that. */
function Balance({ topUp: { balance, balance_after, credits } }: { topUp: TopUp }) {
  const { t, i18n } = useTranslation('topUps');
  const number = (value: number) => formatNumber(value, i18n.language);
  if (balance_after === null) return t('balance', { value: number(balance) });
  return (
    <>
      {t('balance', { value: number(balance_after - credits) })}{' '}
      <ArrowRight className={styles.arrow} size={12} /> {number(balance_after)}
    </>
  );
}

/** Warns that the account got credits by hand since its order, which may have been paid in cash. */
function GivenSince({ topUp: { given_since } }: { topUp: TopUp }) {
  const { t, i18n } = useTranslation('topUps');
  if (!given_since) return null;
  const credits = t('credits.amount', { count: given_since.credits });
  return (
    <QuotedText title={t('approve.given')}>
      {`${credits} · ${formatMoment(given_since.at, i18n.language)}`}
    </QuotedText>
  );
}

function QuotedText({ title, children }: { title: string; children: string }) {
  return (
    <Text as="p" wraps caption className={styles.said}>
      <b>{title}</b> <TypedText>{children}</TypedText>
    </Text>
  );
}

/** True for an order that issued nothing, and still can. */
function isClosed(status: TopUp['status']): status is 'rejected' | 'withdrawn' {
  return status === 'rejected' || status === 'withdrawn';
}

interface ActionsProps extends QueueCardProps {
  onDecline: () => void;
}

function Actions({ topUp, onDecided, onDecline }: ActionsProps): ReactNode {
  const me = useMe();
  const { status, method, problem, owed_credits, account_id } = topUp;
  const isPending = status === 'pending';
  return (
    <Row as="span" gap={8} wrap className={styles.actions} data-status={status}>
      {!(isPending && method === 'transfer') && <StatusBadge topUp={topUp} />}
      {(problem !== null || owed_credits > 0) && <ResolveButton topUp={topUp} />}
      {isPending && isPayable(topUp) && account_id === me.id && <PayButton topUp={topUp} />}
      {isPending && <DeclineButton topUp={topUp} onDecline={onDecline} />}
      {/* A card payment approves its order itself; where its amount differs, a person may. */}
      {((isPending && (method === 'transfer' || problem !== null)) || isClosed(status)) && (
        <ApproveButton topUp={topUp} onDecided={onDecided} />
      )}
      {status === 'approved' && <ReceiptLink topUp={topUp} />}
    </Row>
  );
}

function DeclineButton({ topUp, onDecline }: { topUp: TopUp; onDecline: () => void }) {
  const { t } = useTranslation('topUps');
  const name = topUp.account_name;
  return (
    <Button aria-label={t('reject.of', { name, number: topUp.number })} onClick={onDecline}>
      {t('reject.action')}
    </Button>
  );
}

function ApproveButton({ topUp, onDecided }: QueueCardProps) {
  const { t } = useTranslation('topUps');
  const { id, credits, number, status, given_since } = topUp;
  const name = topUp.account_name;
  const approval = useCommand(approveTopUp, {
    params: { id },
    refreshes: ['top-ups', 'packages', 'transfers', 'accounts', 'me'],
    done: (approved: TopUp) => {
      onDecided(approved);
      results.success(t('approve.done', { number, count: credits }));
    },
  });
  /** What speaks against it; empty for most. */
  const doubts = [
    ...(isClosed(status) ? [t(`approve.doubts.${status}`)] : []),
    ...(given_since
      ? [
          t('approve.doubts.given', {
            name,
            credits: t('credits.amount', { count: given_since.credits }),
          }),
        ]
      : []),
  ];
  const approve = async () => {
    const isSure =
      doubts.length === 0 ||
      (await confirm({
        title: t('approve.title', {
          number,
          credits: t('credits.amount', { count: credits }),
        }),
        text: doubts.join(' '),
        confirmLabel: t('approve.action'),
      }));
    if (isSure) await approval.send({ also_closed: isClosed(status) });
  };
  return (
    <Button
      variant="soft"
      icon={<Check />}
      pending={approval.isPending}
      aria-label={t('approve.of', { count: credits, name })}
      onClick={() => void approve()}
    >
      {t('approve.action')}
    </Button>
  );
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** '12 minutes ago'; null for less than a minute, and for longer than a month. */
function agoText(passed: number, language: string): string | null {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'always' });
  if (passed < MINUTE || passed > 30 * DAY) return null;
  if (passed < HOUR) return format.format(-Math.floor(passed / MINUTE), 'minute');
  if (passed < DAY) return format.format(-Math.floor(passed / HOUR), 'hour');
  return format.format(-Math.floor(passed / DAY), 'day');
}

function useMinute(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** When it was ordered or decided, counted from now. */
function TimeSince({ topUp: { status, created_at, decided_at } }: { topUp: TopUp }) {
  const { t, i18n } = useTranslation('topUps');
  const now = useMinute();
  const value = decided_at ?? created_at;
  // The newest are newer than the minute that is shown.
  const passed = Math.max(0, now - Date.parse(value));
  const time = agoText(passed, i18n.language) ?? formatMoment(value, i18n.language);
  return (
    <time dateTime={value} title={formatMomentInUtc(value, i18n.language)}>
      {passed < MINUTE ? t(`queue.justNow.${status}`) : t(`queue.at.${status}`, { time })}
    </time>
  );
}
