import {
  approveTopUp,
  rejectTopUp,
  resolveTopUp,
  type TopUp,
} from '@linekeeper/contract/credits/top-ups.ts';
import { ArrowRight, Check } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isPayable, PayButton, ReceiptLink } from '#features/top-ups/top-up-actions.tsx';
import { Flags, StatusBadge } from '#features/top-ups/top-up-cells.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { Form } from '#kit/forms/form.tsx';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { FormProblems } from '#kit/forms/form-problems.tsx';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { useListSearch } from '#kit/list/use-list.ts';
import { confirm } from '#kit/overlays/dialogs/confirm.tsx';
import { Avatar } from '#kit/ui/avatar.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { Highlight } from '#kit/ui/highlight.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useMe } from '#platform/data/session.ts';
import { formatMoment, formatMomentInUtc } from '#platform/format/format-moment.ts';
import { formatPrice } from '#platform/format/format-price.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { results } from '#platform/state/results.ts';

interface QueueCardProps {
  topUp: TopUp;
  onDecided: (decided: TopUp) => void;
}

/** A pending top-up for administrators: who ordered how much, and the buttons to approve or decline it. */
export function QueueCard({ topUp, onDecided }: QueueCardProps) {
  const { t, i18n } = useTranslation('topUps');
  const [isDeclining, setDeclining] = useState(false);
  const { status, credits, price_minor, currency, method, note, reason } = topUp;
  const asksWhy = isDeclining && status === 'pending';
  return (
    <Card as="li" className="above-phone:py-5">
      <div className="flex items-center flex-wrap gap-y-3 gap-x-4 [&_small]:block">
        <Avatar accountId={topUp.account_id} name={topUp.account_name} />
        <Who topUp={topUp} />
        <span className="text-end [&>b]:block [&>b]:type-[700_20px/28px_var(--font)] phone:flex phone:flex-wrap phone:items-baseline phone:justify-between phone:gap-y-0 phone:gap-x-3 phone:basis-full phone:text-start">
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
        <div className="basis-full empty:hidden">
          <Flags topUp={topUp} />
        </div>
      </div>
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
    <span className="grid grid-cols-1 flex-1 min-w-0 wrap-anywhere phone:basis-[calc(100%_-_60px)]">
      <b className="type-strong truncate" title={isolate(account_email)}>
        <Highlight text={account_name} part={q} />
      </b>
      <small>
        <Balance topUp={topUp} /> · <TimeSince topUp={topUp} /> ·{' '}
        <span className="whitespace-nowrap">{number}</span>
      </small>
    </span>
  );
}

/** The present balance; for an approved order, the balance before and after it. */
function Balance({ topUp: { balance, balance_after, credits } }: { topUp: TopUp }) {
  const { t } = useTranslation('topUps');
  if (balance_after === null) return t('recurring.balance', { value: balance });
  return (
    <>
      {t('recurring.balance', { value: balance_after - credits })}{' '}
      <ArrowRight className="inline-block [vertical-align:-2px]" size={12} />{' '}
      {t('number', { value: balance_after })}
    </>
  );
}

/** Warns that the account got credits from another account since its order, which may have been paid in cash. */
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
    <p className="type-caption min-w-0 wrap-anywhere basis-full py-2 px-3 rounded-control bg-head">
      <b>{title}</b> <TypedText>{children}</TypedText>
    </p>
  );
}

/** True for an order without credits that can still be approved. */
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
    <span
      className="flex items-center flex-wrap gap-2 flex-none empty:hidden phone:[order:2] phone:basis-full phone:[&[data-status=pending]>button]:flex-1"
      data-status={status}
    >
      {!(isPending && method === 'transfer') && <StatusBadge topUp={topUp} />}
      {(problem !== null || owed_credits > 0) && <ResolveButton topUp={topUp} />}
      {isPending && isPayable(topUp) && account_id === me.id && <PayButton topUp={topUp} />}
      {isPending && <DeclineButton topUp={topUp} onDecline={onDecline} />}
      {/* A card payment approves its order automatically; if its amount differs, a person may
          approve it. */}
      {((isPending && (method === 'transfer' || problem !== null)) || isClosed(status)) && (
        <ApproveButton topUp={topUp} onDecided={onDecided} />
      )}
      {status === 'approved' && <ReceiptLink topUp={topUp} />}
    </span>
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
      results.success(
        t('approve.done', { number, credits: t('credits.amount', { count: credits }) }),
      );
    },
  });
  /** Reasons against an approval; empty for most orders. */
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
      aria-label={t('approve.of', { credits: t('credits.amount', { count: credits }), name })}
      onClick={() => void approve()}
    >
      {t('approve.action')}
    </Button>
  );
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The time since a moment, such as '12 minutes ago' or 'this minute'; null for more than a month. */
function agoText(passed: number, language: string): string | null {
  const format = new Intl.RelativeTimeFormat(language, {
    numeric: passed < MINUTE ? 'auto' : 'always',
  });
  if (passed > 30 * DAY) return null;
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

/** The time since the order or the decision. */
function TimeSince({ topUp: { status, created_at, decided_at } }: { topUp: TopUp }) {
  const { t, i18n } = useTranslation('topUps');
  const now = useMinute();
  const value = decided_at ?? created_at;
  // The clock ticks once a minute, so a new order may be later than the shown minute.
  const passed = Math.max(0, now - Date.parse(value));
  const time = agoText(passed, i18n.language) ?? formatMoment(value, i18n.language);
  return (
    <time dateTime={value} title={formatMomentInUtc(value, i18n.language)}>
      {t(`queue.at.${status}`, { time })}
    </time>
  );
}

interface TopUpProps {
  topUp: TopUp;
}

/** The button that settles a flagged top-up, with a dialog for a note. */
function ResolveButton({ topUp }: TopUpProps) {
  const { t } = useTranslation('topUps');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        aria-label={t('resolve.title', { number: topUp.number })}
        onClick={() => setOpen(true)}
      >
        {t('resolve.action')}
      </Button>
      {isOpen && <ResolveDialog topUp={topUp} onClose={() => setOpen(false)} />}
    </>
  );
}

function ResolveDialog({ topUp: { id, number }, onClose }: TopUpProps & { onClose: () => void }) {
  const { t } = useTranslation('topUps');
  const { field, submission } = useCommandForm(resolveTopUp, {
    params: { id },
    refreshes: ['top-ups'],
    defaultValues: { note: '' },
    onClose,
    doneText: () => t('resolve.done', { number }),
  });
  return (
    <FormDialog
      submission={submission}
      title={t('resolve.title', { number })}
      text={t('resolve.text')}
      submitLabel={t('resolve.action')}
      onClose={onClose}
    >
      <TextInput {...field('note')} label={t('field.note')} autoFocus required />
    </FormDialog>
  );
}

interface DeclineFormProps {
  topUp: TopUp;
  onDeclined: (declined: TopUp) => void;
  onCancel: () => void;
}

/** The form for the reason of a refusal, within the card of the top-up, so that amount and note stay in view. */
function DeclineForm({ topUp, onDeclined, onCancel }: DeclineFormProps) {
  const { t } = useTranslation('topUps');
  const { id, number, account_name } = topUp;
  const { form, field, submission } = useCommandForm(rejectTopUp, {
    params: { id },
    refreshes: ['top-ups'],
    defaultValues: { reason: '' },
    done: (declined) => {
      onDeclined(declined);
      results.success(t('reject.done', { number }));
    },
  });
  return (
    <Form
      submission={submission}
      label={t('reject.title', { number })}
      className="mt-4 pt-4 border-t border-t-divider"
    >
      <FormProblems form={form} />
      <div className="flex items-start gap-2 [&>:first-child]:flex-1 [&>:first-child]:min-w-0 phone:flex-col phone:items-stretch">
        <TextInput
          {...field('reason')}
          label={t('reject.reason')}
          hint={t('reject.hint', { name: account_name })}
          autoFocus
          required
        />
        <div className="flex flex-wrap items-stretch gap-2 pt-7.5 phone:pt-0 phone:[&>button]:flex-1">
          <Button disabled={submission.isPending} onClick={onCancel}>
            {t('action.cancel')}
          </Button>
          <SubmitButton tone="danger" pending={submission.isPending}>
            {t('reject.submit')}
          </SubmitButton>
        </div>
      </div>
    </Form>
  );
}
