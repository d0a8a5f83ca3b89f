import { formatDay } from '@linekeeper/contract/dates.ts';
import type { ChangedLine, Line } from '@linekeeper/contract/lines/lines.ts';
import { useQueryClient } from '@tanstack/react-query';
import { ArrowRight, Check, CircleAlert, Clock } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLineDialogs } from '#domain/lines/actions.tsx';
import { expiryWords } from '#domain/lines/expiry.tsx';
import { LineLink } from '#domain/lines/line-link.tsx';
import { lineQuery } from '#domain/lines/queries.ts';
import { renewedDay } from '#domain/lines/renewal/days.ts';
import { useRenewal } from '#domain/lines/renewal/use-renewal.ts';
import { useServerName } from '#domain/lines/sync.tsx';
import { RemindButton, Reminded, useReminder } from '#features/dashboard/book/remind-button.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { ApiError } from '#platform/api/client.ts';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { useToday } from '#platform/data/settings.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import type { DueLine, DueLines, Renewed } from './use-due-lines.ts';

/** The button that undoes a renewal. Its code and texts are loaded once the page is used. */
export const UndoRenewal = lazyPart(() => import('./undo-renewal.tsx'), 'UndoRenewal', {
  texts: 'bulk',
  isPart: true,
});

/** Credits above which the price of a renewal is shown before it is paid. */
const MOST_AT_ONCE = 24;

interface DueRowProps {
  due: DueLine;
  /** The chosen term in months; undefined if the prices could not be loaded. */
  months: number | undefined;
  lines: Pick<DueLines, 'keep' | 'release'>;
}

/** The look of the rows' buttons, which all have one width, so that they are aligned. */
const BUTTON =
  '[&>:is(a,button)]:flex-none [&>:is(a,button):not([title])]:min-w-28 above-phone:[&>:is(a,button)]:h-8 above-phone:[&>:is(a,button)]:min-h-8';
const BUTTON_ON_PHONE =
  'phone:[&>:is(a,button):not([title])]:min-w-27 small-phone:[&>:is(a,button):not([title])]:min-w-24 small-phone:[&>:is(a,button):not([title])]:px-1';

export function DueRow({ due: { line, days, renewed }, months, lines }: DueRowProps) {
  const [problem, setProblem] = useState<string>();
  const isRenewed = renewed !== undefined;
  const reminder = useReminder(line.id);
  const isPhone = useIsPhone();
  useEffect(() => {
    // The button that had the focus no longer exists, so the line's name gets it.
    if (!isRenewed || document.activeElement !== document.body) return;
    const name = document.querySelector<HTMLElement>(`main [data-line="${line.id}"]`);
    name?.focus({ preventScroll: true });
  }, [isRenewed, line.id]);
  return (
    <li
      className={`flex items-center gap-3 phone:gap-2 min-h-14 py-1.5 px-(--card-pad) phone:min-h-16 phone:py-2 phone:[&>[data-icon]::before]:hidden small-phone:flex-wrap [&_[role=status]]:grid [&_[role=status]]:min-h-4.5 ${BUTTON} ${BUTTON_ON_PHONE}`}
      data-renewed={renewed ? true : undefined}
    >
      <span className="grid grid-cols-1 flex-1 min-w-0 wrap-anywhere">
        <LineLink
          id={line.id}
          className="self-start max-w-full [padding-block:4px_0] type-strong wrap-anywhere hover:underline [[data-renewed]_&]:text-neutral-fg [[data-renewed]_&]:font-medium"
        >
          {line.username}
        </LineLink>
        <span role="status">
          {renewed ? (
            <Until renewed={renewed} />
          ) : problem ? (
            <span className="flex items-start gap-1 text-error-fg type-caption">
              <CircleAlert size={14} />
              {problem}
            </span>
          ) : reminder ? (
            <small className="flex flex-wrap gap-x-1">
              {isPhone && <DaysInRow days={days} />}
              <Reminded at={reminder.sent_at} />
            </small>
          ) : (
            <Ahead line={line} days={days} months={months} />
          )}
        </span>
      </span>
      {!renewed && days > 0 && !isPhone && <Days days={days} />}
      {!renewed && <RemindButton line={line} isAgain={reminder !== undefined} />}
      {renewed ? (
        <UndoRenewal line={line} renewed={renewed} onUndone={() => lines.release(line.id)} />
      ) : (
        <RenewNow
          line={line}
          months={months}
          keep={(renewed, now = line) => {
            setProblem(undefined);
            lines.keep(now, renewed);
          }}
          onRefused={setProblem}
        />
      )}
    </li>
  );
}

/** The line's server, and its expiry date after a renewal. */
function Ahead({ line, days, months }: Pick<DueRowProps, 'months'> & { line: Line; days: number }) {
  const { t } = useTranslation('dashboard');
  const today = useToday();
  const server = useServerName(line.server_id);
  const until = months && renewedDay(months, line.expiry_date, today);
  const day = until ? formatDay(until) : '–';
  // A phone has no room for the server; if a badge is there, an arrow replaces the words.
  const isPhone = useIsPhone();
  const isShort = isPhone && (days > 0 || line.is_trial);
  return (
    <small>
      {isPhone && <DaysInRow days={days} />}
      {line.is_trial && (
        <>
          {t('trial')} <span className="only-wide">· </span>
        </>
      )}
      {server && <span className="only-wide">{server} · </span>}
      {isShort ? (
        <>
          <span className="visually-hidden">{t('today.renewsTo', { day })}</span>
          <span className="inline-flex items-center gap-0.5 whitespace-nowrap" aria-hidden="true">
            <ArrowRight size={12} />
            {day}
          </span>
        </>
      ) : (
        <span className="whitespace-nowrap">{t('today.renewsTo', { day })}</span>
      )}
    </small>
  );
}

/** The days left, in the text of the row: on a phone the button to remind is in the place of the badge. */
function DaysInRow({ days }: { days: number }) {
  const { i18n } = useTranslation();
  if (days <= 0) return null;
  return <b className="text-warning-fg">{expiryWords(days, i18n.language)} </b>;
}

function Days({ days }: { days: number }) {
  const { i18n } = useTranslation();
  return (
    <Badge tone="warning" drawnIcon="clock-alert">
      {expiryWords(days, i18n.language)}
    </Badge>
  );
}

function Until({ renewed: { until, isDelivered, isElsewhere } }: { renewed: Renewed }) {
  const { t } = useTranslation('dashboard');
  const day = formatDay(until);
  return (
    <span
      className={`flex items-center gap-1 type-caption font-semibold ${isDelivered ? 'text-success-fg' : 'text-warning-fg'}`}
    >
      {isDelivered ? <Check size={14} /> : <Clock size={14} />}
      {isElsewhere
        ? t('today.alreadyUntil', { day })
        : t(isDelivered ? 'until' : 'today.untilWaits', { day })}
    </span>
  );
}

interface RenewNowProps {
  line: Line;
  months: DueRowProps['months'];
  /** Keeps the row in its place, with the result for its line, and with the present line. */
  keep: (renewed?: Renewed, now?: Line) => void;
  onRefused: (why: string) => void;
}

/** The button that renews for the chosen term with one click; an expensive renewal is shown first. */
function RenewNow({ line, months, keep, onRefused }: RenewNowProps) {
  const { t } = useTranslation('dashboard');
  const errorText = useErrorText();
  const { open } = useLineDialogs();
  const queryClient = useQueryClient();
  const duration = months === undefined ? null : { subscription_months: months };
  const renewal = useRenewal(line, duration, false);
  const done = ({ line: { expiry_date }, cost, job_id, sync }: ChangedLine) =>
    keep({ until: expiry_date, cost, jobId: job_id, isDelivered: sync.ok });
  const refused = async (error: unknown) => {
    if (error instanceof ApiError && error.code === 'LINE_CHANGED_SINCE') {
      // If the present line cannot be fetched, the refusal itself is shown.
      const now = await queryClient.fetchQuery(lineQuery(line.id)).catch(() => undefined);
      const until = now?.expiry_date;
      if (until && until > line.expiry_date) {
        keep({ until, cost: 0, jobId: null, isDelivered: true, isElsewhere: true });
        return;
      }
      if (now) keep(undefined, now);
    }
    onRefused(errorText(error));
  };
  if (renewal.isShort) {
    return (
      <ButtonLink to="/payments/pricing" variant="soft">
        {t('places.pricing')}
      </ButtonLink>
    );
  }
  const { cost: price } = renewal.quote ?? {};
  const text = price === undefined ? t('action.renew') : t('today.renewFor', { price });
  const isDear = price === undefined || price > MOST_AT_ONCE;
  return (
    <Button
      variant="soft"
      pending={renewal.isPending}
      aria-label={t('actionOf', { action: text, name: line.username })}
      aria-haspopup={isDear ? 'dialog' : undefined}
      onClick={({ currentTarget }) => {
        if (isDear || !duration) {
          open({ action: 'renew', line, anchor: currentTarget });
          return;
        }
        keep();
        void renewal.send(duration, { done, refused });
      }}
    >
      {text}
    </Button>
  );
}
