import { getMe } from '@linekeeper/contract/auth/auth.ts';
import { createTicket, createTicketReply } from '@linekeeper/contract/tickets/tickets.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, call } from '../../shared/api/client.ts';
import {
  endAttempt,
  startAttempt,
  stopWaiting,
  type WaitingDraft,
  waitingDrafts,
} from '../../shared/forms/drafts/waiting-drafts.ts';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { results } from '../../shared/state/results.ts';
import { ticketNumber } from './ticket-looks.ts';

const LOCK = 'linekeeper-outbox';
const RETRY_MS = 30_000;
const REPLY = /^reply:(.+)$/;

/** The panel was not asked, could not answer, is busy with the same, or wants a new session. */
function mayPassLater(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { status, code } = error;
  return [0, 401, 429].includes(status) || status >= 500 || code === 'REQUEST_IN_PROGRESS';
}

/** Tabs take turns. Without locks the idempotency key alone sees to it that nothing is there twice. */
async function inTurn(work: () => Promise<void>): Promise<void> {
  if ('locks' in navigator) await navigator.locks.request(LOCK, work);
  else await work();
}

/** The browser may be signed in as somebody else by now, whose ticket it would become. */
async function isSignedIn(accountId: string): Promise<boolean> {
  try {
    return (await call(getMe, {})).id === accountId;
  } catch {
    return false;
  }
}

async function post(name: string, content: string, idempotencyKey: string) {
  const body = JSON.parse(content);
  const [, id] = REPLY.exec(name) ?? [];
  if (!id) return (await call(createTicket, { body }, { idempotencyKey })).ticket;
  await call(createTicketReply, { params: { id }, body }, { idempotencyKey });
  return null;
}

/**
 * Sends tickets and replies that were submitted without a connection, each once. Nothing else waits
 * like that: what costs credits or changes a line is refused at once.
 */
export function Outbox({ accountId }: { accountId: string }) {
  const { t } = useTranslation('tickets');
  const errorText = useErrorText();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const openDraft = (name: string) => {
    const [, id] = REPLY.exec(name) ?? [];
    void (id ? navigate({ to: '/tickets/$id', params: { id } }) : navigate({ to: '/tickets/new' }));
  };
  const refuse = ({ key, name }: WaitingDraft, error: unknown) => {
    stopWaiting(key);
    results.error(t('waiting.refused'), {
      detail: errorText(error),
      action: { label: t('waiting.open'), onClick: () => openDraft(name) },
    });
  };
  /** False where the rest would fare the same. */
  const sendOne = async (draft: WaitingDraft): Promise<boolean> => {
    const sent = startAttempt(draft.key);
    if (!sent) return true;
    try {
      const ticket = await post(draft.name, sent.content, sent.idempotencyKey);
      endAttempt(draft.key, sent);
      results.success(
        ticket ? t('form.created', { number: ticketNumber(ticket) }) : t('waiting.replySent'),
      );
    } catch (error) {
      if (mayPassLater(error)) return false;
      refuse(draft, error);
    }
    await queryClient.invalidateQueries({ queryKey: ['tickets'] });
    return true;
  };
  const sendAll = useEffectEvent(() =>
    inTurn(async () => {
      for (const draft of waitingDrafts(accountId)) {
        if (!(await isSignedIn(accountId)) || !(await sendOne(draft))) return;
      }
    }),
  );
  useEffect(() => {
    void sendAll();
    const timer = setInterval(() => void sendAll(), RETRY_MS);
    return () => clearInterval(timer);
  }, []);
  return null;
}
