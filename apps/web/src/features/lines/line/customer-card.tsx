import { formatDay } from '@linekeeper/contract/dates.ts';
import { editLine, lineChanges } from '@linekeeper/contract/lines/line-changes.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { lineReminders } from '@linekeeper/contract/lines/reminders.ts';
import { amountText, occasionOf } from '@linekeeper/contract/text/own-texts.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, Pencil } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useGetText } from '#domain/lines/credentials.tsx';
import { useLinePassword } from '#domain/lines/hand-over/use-line-password.ts';
import { addressOf, type Messenger, messengers } from '#domain/lines/messengers.ts';
import { useDebtText } from '#domain/lines/payment/payment-text.ts';
import { PaymentField, usePayment } from '#domain/lines/payment/use-payment.tsx';
import { DetailInput } from '#features/lines/sell/detail-input.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { changedFields } from '#kit/forms/changed-fields.ts';
import { Form } from '#kit/forms/form.tsx';
import { FormProblems } from '#kit/forms/form-problems.tsx';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { useMe } from '#platform/data/session.ts';
import { useToday } from '#platform/data/settings.ts';
import { formatMoment } from '#platform/format/format-moment.ts';
import { languageOr } from '#platform/i18n/languages.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { results } from '#platform/state/results.ts';
import { CustomerPage } from './customer-page.tsx';
import type { LineFactsShown } from './use-line-facts.ts';

interface CustomerCardProps {
  line: Line;
  facts: LineFactsShown;
}

/** The customer of a line: name, price and ways to write to them, with a small form that edits these in place. */
export function CustomerCard({ line, facts }: CustomerCardProps) {
  const { t } = useTranslation('line');
  const [isEditing, setEditing] = useState(false);
  if (isEditing) return <CustomerForm line={line} onClose={() => setEditing(false)} />;
  const { name, company, phone, notes } = line;
  const who = name || company;
  return (
    <section aria-label={t('recurring.customer')}>
      <div className="flex items-center justify-between gap-2 min-h-8 mb-1">
        <h2 className="type-strong">{t('recurring.customer')}</h2>
        <IconButton size="small" label={t('customer.edit')} onClick={() => setEditing(true)}>
          <Pencil size={18} />
        </IconButton>
      </div>
      <div className="grid grid-cols-1 gap-2">
        {(who || phone) && (
          <p className="flex flex-wrap justify-between gap-x-4 min-w-0 wrap-anywhere">
            <span className="text-text-2">
              <TypedText>{who ?? ''}</TypedText>
            </span>
            <b className="type-strong">
              <TypedText>{phone ?? ''}</TypedText>
            </b>
          </p>
        )}
        <OwnPrice line={line} />
        <PaymentRow line={line} />
        {notes && (
          <p className="wrap-anywhere whitespace-pre-line">
            <TypedText>{notes}</TypedText>
          </p>
        )}
        {!who && !phone && !notes && <p className="text-text-2">{t('customer.none')}</p>}
        {phone && <Messengers line={line} facts={facts} phone={phone} />}
        <ReminderLog line={line} />
        <CustomerPage line={line} />
      </div>
    </section>
  );
}

/** The customer's price, for the line's term if it has one. */
function OwnPrice({ line }: { line: Line }) {
  const { t, i18n } = useTranslation('line');
  const { price_minor, currency, subscription_months: count } = line;
  if (price_minor === null) return null;
  const price = amountText(price_minor, currency, languageOr(i18n.language));
  return (
    <p className="flex flex-wrap justify-between gap-x-4">
      <span className="text-text-2">{t('field.price_minor')}</span>
      <b className="type-strong">
        {count === 1 && t('customer.monthly', { price })}
        {count !== 1 && (count ? t('customer.price', { price, count }) : price)}
      </b>
    </p>
  );
}

function openOutside(href: string): void {
  const link = document.createElement('a');
  Object.assign(link, { href, target: '_blank', rel: 'noreferrer' });
  link.click();
}

/** Opens a messenger at the customer's number with the text of the occasion. */
function Messengers({ line, facts, phone }: CustomerCardProps & { phone: string }) {
  const { t } = useTranslation('line');
  const me = useMe();
  const errorText = useErrorText();
  const getText = useGetText();
  const { getPassword } = useLinePassword(line);
  const kind = occasionOf(line, useToday(), Boolean(facts.renewal));
  const write = async (way: Messenger) => {
    try {
      openOutside(addressOf(way, phone, await getText(line, kind, getPassword)));
    } catch (error) {
      results.error(errorText(error));
    }
  };
  return (
    <div className="grid grid-cols-1 gap-2 mt-1" data-print="none">
      <div className="grid grid-cols-3 gap-2 [&_button]:px-1">
        {messengers.map((way) => (
          <Button
            key={way}
            aria-label={t('customer.writeBy', { way })}
            onClick={() => void write(way)}
          >
            {way}
          </Button>
        ))}
      </div>
      <p className="flex flex-wrap gap-x-1 text-text-2 type-caption">
        {t('customer.textReady', { kind: t(`texts.${kind}`) })}
        {me.id === line.owner_id && (
          <Link className="link" to="/profile/texts" search={{ kind }}>
            {t('texts.edit')}
          </Link>
        )}
      </p>
    </div>
  );
}

const fields = ['name', 'phone', 'language', 'price_minor', 'currency', 'notes'] as const;
const customerForm = lineChanges.pick({
  name: true,
  phone: true,
  language: true,
  price_minor: true,
  currency: true,
  notes: true,
});

function CustomerForm({ line, onClose }: { line: Line; onClose: () => void }) {
  const { t } = useTranslation('line');
  const stored = Object.fromEntries(fields.map((name) => [name, line[name] ?? '']));
  const { form, submission } = useCommandForm(editLine, {
    schema: customerForm,
    params: { id: line.id },
    refreshes: ['lines'],
    defaultValues: stored,
    bodyOf: (values, { getValues }) => changedFields(values, getValues(), stored),
    done: onClose,
  });
  return (
    <Form submission={submission} label={t('customer.edit')}>
      <FormProblems form={form} />
      {fields.map((name) => (
        <DetailInput key={name} control={form.control} name={name} />
      ))}
      <div className="flex items-center gap-2">
        <SubmitButton pending={submission.isPending}>{t('action.save')}</SubmitButton>
        <Button onClick={onClose}>{t('action.cancel')}</Button>
      </div>
    </Form>
  );
}

const SHOWN = 5;

/** The last reminders to the customer of a line, and why an email was not sent. */
function ReminderLog({ line }: { line: Line }) {
  const { t, i18n } = useTranslation('line');
  const { data } = useQuery(callQuery('lines', lineReminders, { params: { id: line.id } }));
  if (!data || (data.items.length === 0 && !data.is_stopped)) return null;
  return (
    <div className="grid grid-cols-1 gap-1 type-caption text-text-2">
      <h3 className="type-caption font-semibold">{t('reminders.title')}</h3>
      {data.is_stopped && <p>{t('reminders.stopped')}</p>}
      {data.items.slice(0, SHOWN).map(({ way, sent_at, day, reason }) => (
        <p key={`${way} ${sent_at}`} className={reason ? 'text-error-fg' : undefined}>
          {formatMoment(sent_at, i18n.language)}:{' '}
          {day === null ? t('reminders.byHand') : t('reminders.byMail', { count: day })}
          {reason && `. ${t(`reminders.${reason}`)}`}
        </p>
      ))}
    </div>
  );
}

/** The customer's payment or debt, for the line's owner alone. */
function PaymentRow({ line }: { line: Line }) {
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
