import {
  type CreditPackage,
  checkOutTopUp,
  deletePackage,
  editPackage,
  orderTopUp,
  type TopUp,
} from '@linekeeper/contract/credits/top-ups.ts';
import { useNavigate } from '@tanstack/react-router';
import { Coins, Pencil, Power, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { ConfirmAction } from '#kit/commands/confirm-action.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { type RowDialogProps, RowMenu } from '#kit/list/row-actions.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { PillChoice } from '#kit/ui/controls/pills.tsx';
import { IconTile } from '#kit/ui/icon-tile.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useMe } from '#platform/data/session.ts';
import { formatPrice } from '#platform/format/format-price.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { results } from '#platform/state/results.ts';
import { PackageDialog } from './package-dialog.tsx';
import { checkingOut } from './queries.ts';
import { TransferDialog } from './transfer-dialog.tsx';

interface PackageCardProps {
  offer: CreditPackage;
  takesCards: boolean;
  takesTransfers: boolean;
}

export function PackageCard({ offer, takesCards, takesTransfers }: PackageCardProps) {
  const { t, i18n } = useTranslation('topUps');
  const { is_admin } = useMe();
  const canPay = takesCards || takesTransfers;
  const [isBuying, setBuying] = useState(false);
  const { credits, price_minor, currency, is_active, is_most_bought } = offer;
  const price = (minor: number) => formatPrice(minor, currency, i18n.language);
  return (
    <Card
      as="li"
      className="relative flex flex-col [&_h3]:type-body [&_h3]:[&_b]:text-text [&_h3]:[&_b]:type-number [&_h3]:[&_b]:tracking-[-0.02em] [&>:last-child]:mt-auto"
    >
      <div className="flex items-center flex-wrap gap-2 min-h-10 [&>:nth-child(2)]:ms-auto phone:[&:has(>:nth-child(3))>:nth-child(2)]:absolute phone:[&:has(>:nth-child(3))>:nth-child(2)]:[inset-block-start:-10px] phone:[&:has(>:nth-child(3))>:nth-child(2)]:end-4 phone:[&>:nth-child(3)]:ms-auto">
        <IconTile>
          <Coins size={20} />
        </IconTile>
        {!is_active && <Badge tone="neutral">{t('package.off')}</Badge>}
        {is_admin && <PackageMenu offer={offer} />}
      </div>
      <h3 className="mt-4 text-text-2 min-w-0 wrap-anywhere">
        <b>{formatNumber(credits, i18n.language)}</b> {t('credits.unit', { count: credits })}
      </h3>
      <p className="min-w-0 wrap-anywhere">
        <TypedText>{offer.name}</TypedText>
      </p>
      <p className="mt-1 mx-0 mb-6 text-text-2">
        <b className="text-text type-strong">{price(price_minor)}</b>,{' '}
        {t('package.each', { price: price(price_minor / credits) })}
      </p>
      <Button
        variant={is_most_bought ? 'solid' : 'outlined'}
        fullWidth
        blocked={is_active ? (canPay ? undefined : t('payee.none')) : t('package.off')}
        onClick={() => setBuying(true)}
      >
        {t('package.buy', { credits: t('credits.amount', { count: credits }) })}
      </Button>
      {isBuying && (
        <BuyDialog
          offer={offer}
          takesCards={takesCards}
          takesTransfers={takesTransfers}
          onClose={() => setBuying(false)}
        />
      )}
    </Card>
  );
}

function PackageMenu({ offer }: { offer: CreditPackage }) {
  const { t } = useTranslation('topUps');
  const { id, name, is_active } = offer;
  const turning = useCommand(editPackage, {
    params: { id },
    refreshes: ['packages'],
    doneText: () => t('saved', { name }),
  });
  return (
    <RowMenu
      row={offer}
      label={t('moreOf', { name })}
      entries={[
        { name: 'edit', icon: Pencil, text: t('action.edit'), Dialog: PackageDialog },
        {
          name: 'turn',
          icon: Power,
          text: t(is_active ? 'action.turnOff' : 'action.turnOn'),
          act: () => void turning.send({ is_active: !is_active }),
        },
        { name: 'delete', icon: Trash2, text: t('action.delete'), Dialog: DeletePackageDialog },
      ]}
    />
  );
}

function DeletePackageDialog({ row: { id, name }, onClose }: RowDialogProps<CreditPackage>) {
  const { t } = useTranslation('topUps');
  return (
    <ConfirmAction
      command={useCommand(deletePackage, { params: { id }, refreshes: ['packages'] })}
      tone="danger"
      title={t('askDelete', { name })}
      text={t('package.deleteText')}
      confirmLabel={t('package.deleteConfirm')}
      done={() => results.success(t('deleted', { name }))}
      onClose={onClose}
    />
  );
}

interface BuyDialogProps {
  offer: CreditPackage;
  takesCards: boolean;
  takesTransfers: boolean;
  onClose: () => void;
}

const { note, method } = orderTopUp.body.shape;
const buyForm = z.object({ note, method });
const methods = ['card', 'transfer'] as const;

/** The dialog with the ways to pay for a package; after an order by transfer it shows the reference to give. */
function BuyDialog(props: BuyDialogProps) {
  const [ordered, setOrdered] = useState<TopUp | null>(null);
  if (ordered) return <TransferDialog topUp={ordered} onClose={props.onClose} />;
  return <BuyForm {...props} onOrdered={setOrdered} />;
}

function BuyForm(props: BuyDialogProps & { onOrdered: (topUp: TopUp) => void }) {
  const { offer, takesCards, takesTransfers, onClose, onOrdered } = props;
  const { t, i18n } = useTranslation('topUps');
  const checkOut = useCheckOut();
  const { form, field, submission } = useCommandForm(orderTopUp, {
    schema: buyForm,
    refreshes: ['top-ups'],
    defaultValues: { note: '', method: takesCards ? 'card' : 'transfer' },
    bodyOf: ({ note: text, method: way }) => ({
      package_id: offer.id,
      method: way,
      ...(text && way === 'transfer' ? { note: text } : {}),
    }),
    done: (topUp) => (topUp.method === 'card' ? checkOut(topUp.id) : onOrdered(topUp)),
    isGuarded: false,
  });
  const chosen = form.watch('method') ?? 'transfer';
  const price = formatPrice(offer.price_minor, offer.currency, i18n.language);
  return (
    <FormDialog
      submission={submission}
      title={t('package.buy', { credits: t('credits.amount', { count: offer.credits }) })}
      submitLabel={t(chosen === 'card' ? 'buy.byCard' : 'buy.byTransfer', { price })}
      onClose={onClose}
    >
      {takesCards && takesTransfers && (
        <PillChoice
          legend={t('buy.method')}
          options={methods.map((value) => ({ value, label: t(`methods.${value}`) }))}
          value={chosen}
          onChange={(way) => form.setValue('method', way)}
        />
      )}
      <p className="text-text-2">{t(chosen === 'card' ? 'buy.cardHint' : 'buy.transferHint')}</p>
      {chosen === 'transfer' && <TextInput {...field('note')} label={t('field.note')} />}
    </FormDialog>
  );
}

/** Opens the card payment of an order. If Stripe cannot be reached the order stays, and can be paid in the list. */
function useCheckOut() {
  const navigate = useNavigate();
  const errorText = useErrorText();
  const { send } = useCommand(checkOutTopUp, {
    ...checkingOut,
    input: (id: string) => ({ params: { id } }),
  });
  const refused = (error: unknown) => {
    results.error(errorText(error));
    return navigate({ to: '/payments/top-ups' });
  };
  return (id: string) => send(id, { refused });
}
