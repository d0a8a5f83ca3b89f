import {
  type CreditPackage,
  checkOutTopUp,
  orderTopUp,
  type TopUp,
} from '@linekeeper/contract/credits/top-ups.ts';
import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { useCommand } from '../../shared/commands/use-command.ts';
import { formatPrice } from '../../shared/format/format-price.ts';
import { TextInput } from '../../shared/forms/fields/text-input.tsx';
import { FormDialog } from '../../shared/forms/form-dialog.tsx';
import { FormProblems } from '../../shared/forms/form-problems.tsx';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../shared/forms/use-submit.ts';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { toast } from '../../shared/state/toast.ts';
import { RadioPill } from '../../shared/ui/controls/radio-pill.tsx';
import { Muted, Row } from '../../shared/ui/vocabulary.tsx';
import styles from './pricing.module.css';
import { checkingOut } from './queries.ts';
import { TransferDialog } from './transfer-dialog.tsx';

interface BuyDialogProps {
  offer: CreditPackage;
  takesCards: boolean;
  takesTransfers: boolean;
  onClose: () => void;
}

const { note, method } = orderTopUp.body.shape;
const buyForm = z.object({ note, method });
const methods = ['card', 'transfer'] as const;

/** How a package is paid; what is ordered by transfer then says what to give as the reference. */
export function BuyDialog(props: BuyDialogProps) {
  const [ordered, setOrdered] = useState<TopUp | null>(null);
  if (ordered) return <TransferDialog topUp={ordered} onClose={props.onClose} />;
  return <BuyForm {...props} onOrdered={setOrdered} />;
}

function BuyForm(props: BuyDialogProps & { onOrdered: (topUp: TopUp) => void }) {
  const { offer, takesCards, takesTransfers, onClose, onOrdered } = props;
  const { t, i18n } = useTranslation('topUps');
  const id = useId();
  const checkOut = useCheckOut();
  const form = useContractForm({
    schema: buyForm,
    defaultValues: { note: '', method: takesCards ? 'card' : 'transfer' },
  });
  const chosen = form.watch('method') ?? 'transfer';
  const submission = useSubmit({
    form,
    command: useCommand(orderTopUp, { refreshes: ['top-ups'] }),
    bodyOf: ({ note: text, method: way }) => ({
      package_id: offer.id,
      method: way,
      ...(text && way === 'transfer' ? { note: text } : {}),
    }),
    done: (topUp) => (topUp.method === 'card' ? checkOut(topUp.id) : onOrdered(topUp)),
    isGuarded: false,
  });
  const price = formatPrice(offer.price_minor, offer.currency, i18n.language);
  return (
    <FormDialog
      submission={submission}
      title={t('buy.title', { count: offer.credits })}
      text={t('buy.text', { amount: t('credits.amount', { count: offer.credits }), price })}
      submitLabel={t(chosen === 'card' ? 'buy.byCard' : 'buy.byTransfer', { price })}
      onClose={onClose}
    >
      <FormProblems form={form} />
      {takesCards && takesTransfers && (
        <Row as="fieldset" align="stretch" gap={8} wrap className={styles.methods}>
          <legend>{t('buy.method')}</legend>
          {methods.map((way) => (
            <RadioPill
              key={way}
              size="medium"
              name={`${id}-method`}
              checked={chosen === way}
              onChange={() => form.setValue('method', way)}
            >
              {t(`methods.${way}`)}
            </RadioPill>
          ))}
        </Row>
      )}
      <Muted as="p">{t(chosen === 'card' ? 'buy.cardHint' : 'buy.transferHint')}</Muted>
      {chosen === 'transfer' && (
        <TextInput
          control={form.control}
          name="note"
          label={t('field.note')}
          hint={t('buy.noteHint')}
        />
      )}
    </FormDialog>
  );
}

/** Where Stripe is away the order stays, and can be paid in the list. */
function useCheckOut() {
  const navigate = useNavigate();
  const errorText = useErrorText();
  const { send } = useCommand(checkOutTopUp, {
    ...checkingOut,
    input: (id: string) => ({ params: { id } }),
  });
  const refused = (error: unknown) => {
    toast.error(errorText(error));
    return navigate({ to: '/payments/top-ups' });
  };
  return (id: string) => send(id, { refused });
}
