import { editLine, lineChanges } from '@linekeeper/contract/lines/line-changes.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { amountText, occasionOf } from '@linekeeper/contract/text/own-texts.ts';
import { Link } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useGetText } from '#domain/lines/credentials.tsx';
import { useLinePassword } from '#domain/lines/hand-over/use-line-password.ts';
import { addressOf, type Messenger, messengers } from '#domain/lines/messengers.ts';
import { PaymentRow } from '#domain/lines/payment/payment-row.tsx';
import { DetailInput } from '#features/lines/sell/detail-input.tsx';
import { changedFields } from '#kit/forms/changed-fields.ts';
import { Form } from '#kit/forms/form.tsx';
import { FormProblems } from '#kit/forms/form-problems.tsx';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useMe } from '#platform/data/session.ts';
import { useToday } from '#platform/data/settings.ts';
import { languageOr } from '#platform/i18n/languages.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { results } from '#platform/state/results.ts';
import { CustomerPage } from './customer-page.tsx';
import { ReminderLog } from './reminder-log.tsx';
import type { LineFactsShown } from './use-line-facts.ts';

interface CustomerCardProps {
  line: Line;
  facts: LineFactsShown;
}

/** The customer of a line: who it is, what he pays, and how to write to him, with a small form for it in place. */
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
