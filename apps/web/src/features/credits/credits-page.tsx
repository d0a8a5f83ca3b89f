import {
  type ListedTransfer,
  listTransfers,
  refundTransfer,
  transfersCsv,
} from '@linekeeper/contract/credits/transfers.ts';
import { transfersList } from '@linekeeper/contract/lists/lists.ts';
import { useQuery } from '@tanstack/react-query';
import { Coins } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { accountQuery } from '#domain/accounts/accounts.ts';
import { useAccountFilter } from '#domain/accounts/use-account-filter.tsx';
import { BundleRows, hasBundles, useBundleLabel } from '#domain/credits/bundle-rows.tsx';
import {
  Actor,
  Amount,
  Balance,
  Parties,
  usePartyName,
  WhatAndWhy,
} from '#domain/credits/transfer-cells.tsx';
import { useTransferFilters } from '#domain/credits/use-transfer-filters.ts';
import { BalanceRows } from '#domain/prices/balance-rows.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { column, forAdmins, type ListColumn } from '#kit/list/columns.tsx';
import { defineList } from '#kit/list/define-list.ts';
import { DownloadButton } from '#kit/list/download-button.tsx';
import { ListPage } from '#kit/list/list-page.tsx';
import { ListRows } from '#kit/list/list-rows.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { useMe } from '#platform/data/session.ts';

export function CreditsPage() {
  const { t } = useTranslation('credits');
  const { is_admin } = useMe();
  const label = useBundleLabel();
  return (
    <ListPage
      list={transfers}
      actions={<DownloadButton csv={transfersCsv} />}
      firstUse={{ icon: <Coins />, title: t('first.title') }}
    >
      {(shown) => (
        <ListRows
          {...shown}
          columns={is_admin ? columns : ownColumns}
          Actions={is_admin && hasRefundable(shown.rows) ? RefundButton : undefined}
          detail={hasBundles(shown.rows) ? { label, Content: Bundle } : undefined}
          actionsWidth={112}
          isTall
        />
      )}
    </ListPage>
  );
}

const hasRefundable = (rows: readonly ListedTransfer[] | undefined) =>
  rows?.some(({ is_refundable, bundle }) => is_refundable && !bundle) ?? false;

/** The transfers of one job; an administrator can refund each separately. */
function Bundle({ row }: { row: ListedTransfer }) {
  const { is_admin } = useMe();
  return <BundleRows transfer={row} {...(is_admin ? { Actions: RefundButton } : {})} />;
}

const columns: ListColumn<ListedTransfer>[] = [
  column.moment('when', ({ created_at }) => created_at, { kind: 'name', sortBy: 'created_at' }),
  column.summary('what', (transfer) => <WhatAndWhy transfer={transfer} />, { inCard: 'line' }),
  column.person('parties', (transfer) => <Parties transfer={transfer} />, { inCard: 'line' }),
  column.text('actor', (transfer) => <Actor transfer={transfer} />),
  column.count('amount', (transfer) => <Amount transfer={transfer} />, {
    look: 'strong',
    inCard: 'badge',
  }),
  column.count(
    'balance',
    (transfer) => transfer.balance_after !== null && <Balance transfer={transfer} />,
    // The column holds two rows: the balance, and below it the name of the account.
    { look: 'strong', width: { size: 136, min: 124 } },
  ),
];

const ownColumns: ListColumn<ListedTransfer>[] = columns.map((one) =>
  one.id === 'what' ? { ...one, cell: (transfer) => <OwnWhatAndWhy transfer={transfer} /> } : one,
);

function OwnWhatAndWhy({ transfer }: { transfer: ListedTransfer }) {
  return <WhatAndWhy transfer={transfer} of={transfer.balance_of} unlessBy={useMe().id} />;
}

/** Permissions with which an account can look up others. */
const managers = ['add_credits', 'manage_resellers'] as const;

function useFilters() {
  const { t } = useTranslation('credits');
  const account = useAccountFilter('account', t('field.account'), managers);
  return { account, ...useTransferFilters() };
}

const transfers = defineList(transfersList, {
  path: '/credits',
  queryKey: ['transfers', 'list'],
  endpoint: listTransfers,
  asks: { bundled: true },
  texts: 'credits',
  useFilters,
  // These columns are for administrators. Other readers see the parties beside the purpose, because
  // one of them is mostly the reader.
  hides: forAdmins('parties', 'actor'),
});

function RefundButton({ row: transfer }: { row: ListedTransfer }) {
  const { t } = useTranslation('credits');
  const isPhone = useIsPhone();
  const [isOpen, setOpen] = useState(false);
  if (!transfer.is_refundable || transfer.bundle) return null;
  return (
    <>
      <Button
        variant={isPhone ? 'soft' : 'text'}
        size={isPhone ? 'medium' : 'small'}
        fullWidth={isPhone}
        aria-label={t('refund.title', { username: transfer.username ?? '' })}
        onClick={() => setOpen(true)}
      >
        {t('action.refund')}
      </Button>
      {isOpen && <RefundDialog transfer={transfer} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The dialog that refunds a transfer, with the effect on the present balance. */
function RefundDialog({ transfer, onClose }: { transfer: ListedTransfer; onClose: () => void }) {
  const { t } = useTranslation('credits');
  const { id, amount, from_id, from_name, username } = transfer;
  const name = usePartyName()(from_id, from_name);
  const { field, submission } = useCommandForm(refundTransfer, {
    params: { id },
    refreshes: ['transfers', 'accounts', 'activity'],
    defaultValues: { note: '' },
    onClose,
    doneText: () => t('refund.done', { count: amount, name }),
  });
  return (
    <FormDialog
      submission={submission}
      title={t('refund.title', { username: username ?? '' })}
      text={t('refund.text')}
      submitLabel={t('refund.confirm', { count: amount })}
      onClose={onClose}
    >
      <Effect transfer={transfer} name={name} />
      <TextInput
        {...field('note')}
        label={t('field.reason')}
        hint={t('refund.noteHint')}
        autoFocus
      />
    </FormDialog>
  );
}

function Effect({
  transfer: { from_id, amount },
  name,
}: {
  transfer: ListedTransfer;
  name: string;
}) {
  const { t } = useTranslation('credits');
  const { data: account } = useQuery(accountQuery(from_id));
  // Administrators have no counted balance.
  const counted = account && !account.is_admin ? account.credits : undefined;
  return (
    <BalanceRows
      rows={[
        { label: t('field.account'), text: <TypedText>{name}</TypedText> },
        { label: t('field.balanceBefore'), value: counted },
        { label: t('field.refunded'), value: amount, isChange: true },
        {
          label: t('field.balanceAfter'),
          value: counted === undefined ? undefined : counted + amount,
        },
      ]}
    />
  );
}
