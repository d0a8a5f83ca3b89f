import { formatDay } from '@linekeeper/contract/dates.ts';
import { editLine } from '@linekeeper/contract/lines/line-changes.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '#kit/commands/use-command.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { useMe } from '#platform/data/session.ts';
import { useDebtText } from './payment-text.ts';
import { PaymentField, usePayment } from './use-payment.tsx';

/** The customer's payment or debt, for the line's owner alone. */
export function PaymentRow({ line }: { line: Line }) {
  const { t } = useTranslation();
  const me = useMe();
  const debtText = useDebtText();
  const [isEditing, setEditing] = useState(false);
  const save = useCommand(editLine, {
    params: { id: line.id },
    refreshes: ['lines', 'book'],
    done: () => setEditing(false),
  });
  const { payment } = line;
  if (line.owner_id !== me.id) return null;
  if (isEditing) {
    return (
      <Edit
        line={line}
        isPending={save.isPending}
        onSave={save.send}
        onClose={() => setEditing(false)}
      />
    );
  }
  const isOwed = payment?.state === 'owes';
  return (
    <div className="grid grid-cols-1 gap-2">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="text-text-2">
          {t(payment ? `payment.${payment.state}` : 'payment.title')}
        </span>
        <button
          type="button"
          className={`type-strong text-end hover:underline ${isOwed ? 'text-error-fg' : payment?.state === 'paid' ? 'text-success-fg' : 'text-primary'}`}
          title={payment === null ? undefined : t('payment.change')}
          onClick={() => setEditing(true)}
        >
          {payment === null && t('payment.note')}
          {isOwed && debtText(payment)}
          {payment && !isOwed && formatDay(new Date(payment.since).toLocaleDateString('sv-SE'))}
        </button>
      </p>
      {isOwed && (
        <Button
          icon={<Check />}
          pending={save.isPending}
          onClick={() => void save.send({ payment: { state: 'paid' } })}
        >
          {t('payment.paid')}
        </Button>
      )}
    </div>
  );
}

interface EditProps {
  line: Line;
  isPending: boolean;
  onSave: (body: { payment: NonNullable<ReturnType<typeof usePayment>['given']> }) => Promise<void>;
  onClose: () => void;
}

function Edit({ line, isPending, onSave, onClose }: EditProps) {
  const { t } = useTranslation();
  const { given, field } = usePayment(line, line.subscription_months);
  return (
    <div className="grid grid-cols-1 gap-3">
      <PaymentField {...field} />
      <div className="flex items-center gap-2">
        <Button
          variant="solid"
          pending={isPending}
          disabled={given === undefined}
          onClick={() => given && void onSave({ payment: given })}
        >
          {t('action.save')}
        </Button>
        <Button onClick={onClose}>{t('action.cancel')}</Button>
      </div>
    </div>
  );
}
