import { formatDay } from '@linekeeper/contract/dates.ts';
import type { Reply } from '@linekeeper/contract/endpoint.ts';
import { renewLine } from '@linekeeper/contract/lines/line-changes.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { notifyManager, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useShowStoredJob } from '#domain/jobs/queries.ts';
import { type RenewalDuration, showLine } from '#domain/lines/queries.ts';
import { useRetrySync } from '#domain/lines/use-retry-sync.ts';
import { isShort } from '#domain/prices/is-short.ts';
import { type Command, useCommand } from '#kit/commands/use-command.ts';
import { ApiError } from '#platform/api/client.ts';
import { refetchWithEvent } from '#platform/data/live.ts';
import { meQuery, useMe } from '#platform/data/session.ts';
import { useRecentRenewal } from './recent-renewal.tsx';
import { useRenewalTerm } from './term.ts';
import { useRenewalQuote } from './use-renewal-quote.ts';

type Renewed = Reply<typeof renewLine>;

/** True if the next attempt repeats the last one, which has neither succeeded nor found that the line has changed. */
const isRepeated = (error: unknown) =>
  error !== null && !(error instanceof ApiError && error.code === 'LINE_CHANGED_SINCE');

/**
 * A renewal of a line: its cost and new date, the reasons against it, and the command that sends it. `duration` is null
 * while the form has none that could be sent. In a list of many rows, `isAsked` is false: a row needs neither the
 * panel's quote nor the warning about other renewals.
 */
export function useRenewal(line: Line, duration: RenewalDuration | null, isAsked = true) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { is_admin } = useMe();
  const { keepTerm } = useRenewalTerm();
  const { quote, error: quoteError } = useRenewalQuote(line, duration, isAsked);
  const recent = useRecentRenewal(line.id, isAsked);
  const tell = useTell(line);
  const command = useCommand(renewLine, {
    params: { id: line.id },
    refreshes: ['lines', 'me', 'jobs'],
    refetch: (names) => refetchWithEvent(queryClient, names),
    done: ({ line: renewed, credits }, { subscription_months }) => {
      // Both updates are shown together, so that the new day is never beside the former balance.
      notifyManager.batch(() => {
        showLine(queryClient, renewed);
        queryClient.setQueryData(meQuery().queryKey, (me) => me && { ...me, credits });
      });
      if (subscription_months !== undefined) keepTerm(subscription_months);
    },
  });
  const from = useRef(line.expiry_date);
  const send: Command<RenewalDuration, Renewed>['send'] = async (sent, options) => {
    if (!(await recent.isMeant(t('action.renew')))) return;
    // The panel refuses the renewal if somebody renewed the line in the meantime without this page knowing. After a
    // lost reply, that may have been this page itself: the next attempt then repeats the same renewal, and is paid
    // once, even if an error such as an ended session comes in between.
    if (!isRepeated(command.error)) from.current = line.expiry_date;
    // Administrators pay nothing and are shown no price.
    const seen = quote && !is_admin ? { quoted_cost: quote.cost } : {};
    const body = { ...sent, ...seen, from_expiry_date: from.current };
    await command.send(body, { done: tell, ...options });
  };
  return {
    ...command,
    quote,
    quoteError,
    isQuoting: duration !== null && quote === null && quoteError === null,
    isShort: quote !== null && isShort(quote),
    /** The warning that the same line was renewed a moment ago. */
    recent: recent.text,
    /** Shows the result of the renewal, for callers that do not show it themselves. */
    tell,
    send,
  };
}

function useTell(line: Line) {
  const { t } = useTranslation();
  const { tell } = useRetrySync(line);
  const showStored = useShowStoredJob();
  return async (reply: Renewed) => {
    const { job_id, cost } = reply;
    if (job_id && (await showStored(job_id))) return;
    const { username, expiry_date } = reply.line;
    const done = t('line.renewed', { username, day: formatDay(expiry_date) });
    tell(reply, done, t(cost > 0 ? 'line.sync.savedAndPaid' : 'line.sync.saved'));
  };
}
