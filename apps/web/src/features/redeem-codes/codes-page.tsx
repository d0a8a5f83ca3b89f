import {
  deleteRedeemCode,
  editRedeemCode,
  listRedeemCodes,
  listRedemptions,
  MAX_CODES_AT_ONCE,
  type RedeemCode,
  type RedeemCodeStatus,
  redeemCodesCsv,
} from '@linekeeper/contract/credits/redeem-codes.ts';
import { redeemCodesList } from '@linekeeper/contract/lists/lists.ts';
import { useQuery } from '@tanstack/react-query';
import { History, Pencil, Power, Tickets, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmAction } from '#kit/commands/confirm-action.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { expiryOf } from '#kit/forms/day-and-time.ts';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { column, type ListColumn } from '#kit/list/columns.tsx';
import { defineList, fetchPages } from '#kit/list/define-list.ts';
import { DownloadButton } from '#kit/list/download-button.tsx';
import { Found } from '#kit/list/found.tsx';
import { ListPage } from '#kit/list/list-page.tsx';
import { PlainList } from '#kit/list/plain-list.tsx';
import { PrintButton } from '#kit/list/print-button.tsx';
import { type RowDialogProps, RowMenu } from '#kit/list/row-actions.tsx';
import { useListSearch, useTotal } from '#kit/list/use-list.ts';
import { DialogText, InfoDialog } from '#kit/overlays/dialogs/dialog-parts.tsx';
import type { BadgeTone } from '#kit/ui/badge.tsx';
import { AddLink } from '#kit/ui/buttons/button-link.tsx';
import { CopyButton } from '#kit/ui/buttons/copy-button.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { call } from '#platform/api/client.ts';
import { fetchAll } from '#platform/api/fetch-all.ts';
import { results } from '#platform/state/results.ts';
import type { ListSearch } from '#screens/address.ts';
import { CodeFields, editCodeForm, expiryValues } from './code-fields.tsx';
import { Outcome } from './outcome.tsx';
import { usePrintSheet } from './print-sheet.tsx';

const statusTones: Record<RedeemCodeStatus, BadgeTone> = {
  active: 'success',
  inactive: 'neutral',
  expired: 'error',
  used: 'info',
};

const redeemCodes = defineList(redeemCodesList, {
  path: '/redeem-codes',
  queryKey: ['redeem-codes', 'list'],
  endpoint: listRedeemCodes,
  texts: 'redeemCodes',
  viewTones: { expired: 'error' },
  countsViews: true,
});

export function RedeemCodesPage() {
  const { t } = useTranslation('redeemCodes');
  return (
    <ListPage
      list={redeemCodes}
      actions={<ListFiles />}
      add={<AddLink to="/redeem-codes/add">{t('nav.addCodes')}</AddLink>}
      firstUse={{ icon: <Tickets />, title: t('recurring.firstCodes') }}
      columns={columns}
      Actions={CodeActions}
    />
  );
}

const columns: ListColumn<RedeemCode>[] = [
  column.name('code', ({ code }) => <Code code={code} />, {
    sortBy: 'code',
    // The column is as wide as a whole code, because a cut code is of no use.
    width: { size: 288, min: 288, scrolled: 288 },
  }),
  column.count('credits', ({ credits }) => credits, { sortBy: 'credits', look: 'strong' }),
  column.found('label', ({ description }) => description, { inCard: 'bare' }),
  column.count('uses', (code) => <Uses code={code} />, { sortBy: 'times_used' }),
  column.moment('expires', ({ expires_at }) => expires_at, { sortBy: 'expires_at' }),
  column.status('status', ({ status }) => status, statusTones, { inCard: 'bare' }),
  column.moment('created', ({ created_at }) => created_at, { sortBy: 'created_at' }),
];

function Code({ code }: { code: string }) {
  const { t } = useTranslation('redeemCodes');
  return (
    <span className="flex items-center gap-1 min-w-0 wrap-anywhere">
      <Found text={code} isCut />
      <CopyButton value={code} label={t('copy', { code })} />
    </span>
  );
}

function Uses({ code: { times_used: used, max_uses: maximum } }: { code: RedeemCode }) {
  return useTranslation('redeemCodes').t('usesOf', { used, maximum });
}

/** Menu of a code: on and off, edit, history, delete. */
function CodeActions({ row }: { row: RedeemCode }) {
  const { t } = useTranslation('redeemCodes');
  const { id, code, is_active } = row;
  const edit = useCommand(editRedeemCode, {
    params: { id },
    refreshes: ['redeem-codes'],
    doneText: () => t(is_active ? 'turn.offDone' : 'turn.onDone', { code }),
  });
  return (
    <RowMenu
      row={row}
      label={t('moreOf', { name: code })}
      entries={[
        {
          name: 'turn',
          icon: Power,
          text: t(is_active ? 'action.turnOff' : 'action.turnOn'),
          act: () => void edit.send({ is_active: !is_active }),
          pending: edit.isPending,
          isButtonOnPhone: true,
        },
        { name: 'edit', icon: Pencil, text: t('action.edit'), Dialog: EditCodeDialog },
        { name: 'history', icon: History, text: t('history.action'), Dialog: CodeHistoryDialog },
        { name: 'delete', icon: Trash2, text: t('action.delete'), Dialog: DeleteCodeDialog },
      ]}
    />
  );
}

const fetchPage = fetchPages(redeemCodesList, listRedeemCodes);

/** All codes that match the address, up to the number that can be created together. */
function fetchCodes(search: ListSearch) {
  const { signal } = new AbortController();
  return fetchAll(
    ({ cursor, limit }) => fetchPage({ ...search, cursor }, { signal, limit }),
    MAX_CODES_AT_ONCE,
  );
}

/** Buttons for the listed codes as a file or on paper; nothing if there are no codes. */
function ListFiles() {
  const { t } = useTranslation('redeemCodes');
  const { search } = useListSearch();
  const { total } = useTotal(search);
  const { sheet, print } = usePrintSheet();
  if (!total) return null;
  const printAll = async () => {
    const { rows: codes, isCut } = await fetchCodes(search);
    if (isCut) results.warning(t('print.tooMany', { maximum: MAX_CODES_AT_ONCE }));
    // Codes that cannot be redeemed are not printed.
    print(codes.filter(({ status }) => status === 'active'));
  };
  return (
    <>
      <DownloadButton csv={redeemCodesCsv} />
      <PrintButton label={t('print.action')} onPrint={printAll} />
      {sheet}
    </>
  );
}

const MOST_SHOWN = 100;

function CodeHistoryDialog({ row: { id, code }, onClose }: RowDialogProps<RedeemCode>) {
  const { t } = useTranslation('redeemCodes');
  const titleId = useId();
  const { data, error, refetch } = useQuery({
    queryKey: ['redemptions', 'code', id],
    queryFn: ({ signal }) =>
      call(listRedemptions, { query: { code_id: id, limit: MOST_SHOWN } }, { signal }),
  });
  const more = (data?.total ?? 0) - MOST_SHOWN;
  return (
    <InfoDialog title={<span id={titleId}>{t('history.title', { code })}</span>} onClose={onClose}>
      {error && !data && <FailedPanel error={error} onRetry={() => void refetch()} />}
      {data?.items.length === 0 && <DialogText>{t('history.none')}</DialogText>}
      {data && data.items.length > 0 && (
        <PlainList labelledBy={titleId}>
          {data.items.map((redemption) => (
            <li
              key={redemption.id}
              className="flex items-center justify-between gap-4 py-2 px-0 text-text"
            >
              <span className="grid grid-cols-1 min-w-0 wrap-anywhere">
                <TypedText>{redemption.user_email}</TypedText>
                <small>
                  <Timestamp value={redemption.redeemed_at} />
                </small>
              </span>
              <Outcome {...redemption} />
            </li>
          ))}
        </PlainList>
      )}
      {more > 0 && <DialogText>{t('more', { count: more })}</DialogText>}
    </InfoDialog>
  );
}

function EditCodeDialog({ row, onClose }: RowDialogProps<RedeemCode>) {
  const { t } = useTranslation('redeemCodes');
  const { id, code, credits, description, max_uses, expires_at } = row;
  const { form, field, submission } = useCommandForm(editRedeemCode, {
    schema: editCodeForm,
    params: { id },
    refreshes: ['redeem-codes'],
    defaultValues: {
      credits,
      description: description ?? '',
      max_uses,
      ...expiryValues(expires_at),
    },
    bodyOf: ({ day, time, ...body }, form) => {
      const { dirtyFields } = form.formState;
      const isMoved = dirtyFields.day || dirtyFields.time;
      // An expiry that was not edited here keeps its milliseconds.
      return { ...body, ...(isMoved ? { expires_at: expiryOf({ day, time }) } : {}) };
    },
    onClose,
    doneText: () => t('saved', { name: code }),
  });
  return (
    <FormDialog
      submission={submission}
      title={t('editOf', { name: code })}
      submitLabel={t('action.save')}
      onClose={onClose}
    >
      <TextInput {...field('credits')} label={t('form.credits')} type="number" autoFocus required />
      <CodeFields control={form.control} />
    </FormDialog>
  );
}

function DeleteCodeDialog({ row: { id, code }, onClose }: RowDialogProps<RedeemCode>) {
  const { t } = useTranslation('redeemCodes');
  return (
    <ConfirmAction
      command={useCommand(deleteRedeemCode, { params: { id }, refreshes: ['redeem-codes'] })}
      tone="danger"
      title={t('askDelete', { name: code })}
      text={t('delete.text')}
      confirmLabel={t('delete.confirm')}
      done={() => results.success(t('deleted', { name: code }))}
      onClose={onClose}
    />
  );
}
