import {
  editRedeemCode,
  listRedeemCodes,
  type RedeemCode,
  type RedeemCodeStatus,
} from '@linekeeper/contract/credits/redeem-codes.ts';
import { redeemCodesList } from '@linekeeper/contract/lists/lists.ts';
import { History, Pencil, Power, Tickets, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '#kit/commands/use-command.ts';
import { column, type ListColumn } from '#kit/list/columns.tsx';
import { defineList } from '#kit/list/define-list.ts';
import { Found } from '#kit/list/found.tsx';
import { ListPage } from '#kit/list/list-page.tsx';
import { RowMenu } from '#kit/list/row-actions.tsx';
import type { BadgeTone } from '#kit/ui/badge.tsx';
import { AddLink } from '#kit/ui/buttons/button-link.tsx';
import { CopyButton } from '#kit/ui/buttons/copy-button.tsx';
import { CodeHistoryDialog, DeleteCodeDialog, EditCodeDialog } from './code-dialogs.tsx';
import { ListFiles } from './list-files.tsx';

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
