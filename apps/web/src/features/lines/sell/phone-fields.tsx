import { formatDay } from '@linekeeper/contract/dates.ts';
import { ArrowRight } from 'lucide-react';
import { useFormState, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { PaymentField, type PaymentFieldProps } from '#domain/lines/payment/use-payment.tsx';
import { PasswordField } from '#kit/forms/pickers/password-field.tsx';
import { FootBar } from '#kit/page/foot-bar.tsx';
import { useMe } from '#platform/data/session.ts';
import type { NewLineForm } from './add-line-types.ts';
import { useSaleQuote } from './balance-line.tsx';
import { Fold, Folds } from './fold.tsx';
import { Details, moreNames, OwnerAndNotes } from './more-fields.tsx';
import { AllServers, type ServerChoice, ServerField } from './server-field.tsx';

interface PhoneFieldsProps {
  form: NewLineForm;
  choice: ServerChoice;
  /** The payment fields; null if this sale has no entry in the bookkeeping. */
  payment: PaymentFieldProps | null;
}

/**
 * The fields of a sale that have a default, such as password and server. They are folded so that the sale fits the
 * screen of a phone; a field with an error is unfolded.
 */
export function PhoneFields({ form, choice, payment }: PhoneFieldsProps) {
  const { t } = useTranslation('lines');
  const { control } = form;
  const { errors } = useFormState({ control });
  const [password, serverId, notes] = useWatch({
    control,
    name: ['password', 'server_id', 'notes'],
  });
  const { active, gone, isNone, serves } = choice;
  const server = active.find(({ id }) => id === serverId)?.server_name;
  return (
    <>
      {isNone && <ServerField control={control} choice={choice} />}
      <Folds>
        <Fold
          title={t('field.password')}
          value={password}
          isHeldOpen={errors.password !== undefined}
        >
          <PasswordField
            form={form}
            name="password"
            label={t('field.password')}
            isGenerated
            required
          />
        </Fold>
        {(active.length > 1 || gone) && (
          <Fold
            title={t('field.server')}
            value={server}
            isHeldOpen={errors.server_id !== undefined || gone !== undefined || choice.isReplaced}
          >
            <ServerField control={control} choice={choice} />
          </Fold>
        )}
        {serves === 'all' && <AllServers choice={choice} />}
        {payment && (
          <Fold
            title={t('payment.title')}
            value={t(payment.state === null ? 'payment.note' : `payment.${payment.state}`)}
          >
            <PaymentField {...payment} isTitled />
          </Fold>
        )}
        <Fold
          title={t('add.notesAndMore')}
          value={notes || t('add.nothingMore')}
          isHeldOpen={moreNames.some((name) => errors[name] !== undefined)}
        >
          <OwnerAndNotes control={control} />
          <Details control={control} />
        </Fold>
      </Folds>
    </>
  );
}

interface SaleBarProps {
  control: NewLineForm['control'];
  children: React.ReactNode;
}

/**
 * The bar at the bottom of a phone with the price and the button that sells. The bar is above the keyboard while the
 * keyboard is shown.
 */
export function SaleBar({ control, children }: SaleBarProps) {
  const { t } = useTranslation('lines');
  const { is_admin } = useMe();
  const { balance, balance_after, expiry_date } = useSaleQuote(control);
  return (
    <FootBar
      label={t('recurring.sale')}
      summary={
        <>
          <span>
            {t('add.until')} <b>{formatDay(expiry_date)}</b>
          </span>
          {is_admin ? (
            <span>{t('quote.free')}</span>
          ) : (
            balance_after !== undefined && (
              <span className="flex items-center gap-1">
                {t('recurring.balance', { value: balance })} <ArrowRight size={12} />
                <b>{t('number', { value: balance_after })}</b>
              </span>
            )
          )}
        </>
      }
    >
      {children}
    </FootBar>
  );
}
