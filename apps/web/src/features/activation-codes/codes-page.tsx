import {
  type ActivationCode,
  type ActivationCodeStatus,
  listActivationCodes,
  refundActivationCode,
} from '@linekeeper/contract/credits/activation-codes.ts';
import { activationCodesList } from '@linekeeper/contract/lists/lists.ts';
import { Plus, Ticket, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LineLink } from '#domain/lines/line-link.tsx';
import { useHasPlans, usePlanName } from '#domain/prices/plans.ts';
import { ConfirmAction } from '#kit/commands/confirm-action.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { column, type ListColumn } from '#kit/list/columns.tsx';
import { defineList, fetchPages } from '#kit/list/define-list.ts';
import { Found } from '#kit/list/found.tsx';
import { ListPage } from '#kit/list/list-page.tsx';
import { PrintButton } from '#kit/list/print-button.tsx';
import { QuietAction, RowActions, type RowDialogProps } from '#kit/list/row-actions.tsx';
import { useListSearch, useTotal } from '#kit/list/use-list.ts';
import type { BadgeTone } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { CopyButton } from '#kit/ui/buttons/copy-button.tsx';
import { fetchAll } from '#platform/api/fetch-all.ts';
import { results } from '#platform/state/results.ts';
import { usePrintedCards } from './cards-sheet.tsx';
import { MakeCodes } from './make-codes.tsx';

const statusTones: Record<ActivationCodeStatus, BadgeTone> = {
  unused: 'success',
  used: 'info',
  refunded: 'neutral',
};

const activationCodes = defineList(activationCodesList, {
  path: '/activation-codes',
  queryKey: ['activation-codes', 'list'],
  endpoint: listActivationCodes,
  texts: 'activationCodes',
  countsViews: true,
});

export function ActivationCodesPage() {
  const { t } = useTranslation('activationCodes');
  const [isMaking, setMaking] = useState(false);
  const add = (
    <Button variant="solid" icon={<Plus aria-hidden="true" />} onClick={() => setMaking(true)}>
      {t('nav.addCodes')}
    </Button>
  );
  return (
    <>
      <ListPage
        list={activationCodes}
        actions={<PrintCards />}
        add={add}
        firstUse={{ icon: <Ticket />, title: t('recurring.firstCodes'), text: t('make.text') }}
        columns={columns}
        Actions={RefundButton}
      />
      {isMaking && <MakeCodes onClose={() => setMaking(false)} />}
    </>
  );
}

const columns: ListColumn<ActivationCode>[] = [
  column.name('code', (code) => <Code {...code} />, {
    // A code is of no use when it is cut.
    width: { size: 288, min: 288, max: 288, scrolled: 288 },
  }),
  column.status('status', ({ status }) => status, statusTones, {
    inCard: 'bare',
    width: { size: 148, min: 148 },
  }),
  column.text('duration', (code) => <Term {...code} />, {
    inCard: 'bare',
    width: { size: 176, min: 152 },
  }),
  column.text('line', usedBy, { inCard: 'bare' }),
  column.words('note', ({ note }) => note && <Found text={note} />, {
    inCard: 'line',
    width: { size: 200, min: 144 },
  }),
  column.moment('created', ({ created_at }) => created_at, { sortBy: 'created_at' }),
];

function Code({ code, status }: ActivationCode) {
  const { t } = useTranslation('redeemCodes');
  return (
    <span className="flex items-center gap-1 min-w-0 wrap-anywhere">
      <Found text={code} isCut />
      {status === 'unused' && <CopyButton value={code} label={t('copy', { code })} />}
    </span>
  );
}

function Term({ plan_id, months }: ActivationCode) {
  const { t } = useTranslation('activationCodes');
  const hasPlans = useHasPlans();
  const planName = usePlanName();
  const term = t('credits.months', { count: months });
  const plan = hasPlans && plan_id ? planName(plan_id) : '';
  return plan ? `${plan}, ${term}` : term;
}

function usedBy({ line_id, username }: ActivationCode) {
  if (line_id === null || username === null) return null;
  return (
    <LineLink id={line_id} className="link">
      <Found text={username} isCut />
    </LineLink>
  );
}

const MOST_PRINTED = 1000;
const fetchPage = fetchPages(activationCodesList, listActivationCodes);

/** Prints the unused codes of the list as cards. */
function PrintCards() {
  const { t } = useTranslation('activationCodes');
  const { search } = useListSearch();
  const { total } = useTotal(search);
  const { sheet, print } = usePrintedCards();
  if (!total) return null;
  const printAll = async () => {
    const { signal } = new AbortController();
    const unused = { ...search, status: 'unused' };
    const { rows } = await fetchAll(
      ({ cursor, limit }) => fetchPage({ ...unused, cursor }, { signal, limit }),
      MOST_PRINTED,
    );
    print(rows);
  };
  return (
    <>
      <PrintButton label={t('print.action')} onPrint={printAll} />
      {sheet}
    </>
  );
}

function RefundButton({ row }: { row: ActivationCode }) {
  const { t } = useTranslation('activationCodes');
  const [isAsking, setAsking] = useState(false);
  if (row.status !== 'unused') return null;
  return (
    <RowActions>
      <QuietAction
        label={t('refund.title', { code: row.code })}
        text={t('action.refund')}
        icon={Undo2}
        onClick={() => setAsking(true)}
      />
      {isAsking && <RefundDialog row={row} onClose={() => setAsking(false)} />}
    </RowActions>
  );
}

function RefundDialog({ row: { id, code, cost }, onClose }: RowDialogProps<ActivationCode>) {
  const { t } = useTranslation('activationCodes');
  const refreshes = ['activation-codes', 'me', 'transfers'] as const;
  return (
    <ConfirmAction
      command={useCommand(refundActivationCode, { params: { id }, refreshes })}
      tone="danger"
      title={t('refund.title', { code })}
      text={t('refund.text', { credits: t('credits.amount', { count: cost }) })}
      confirmLabel={t('action.refund')}
      done={() => results.success(t('refund.done', { code }))}
      onClose={onClose}
    />
  );
}
