import {
  type CreditPackage,
  createPackage,
  currencies,
  editPackage,
} from '@linekeeper/contract/credits/top-ups.ts';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { SelectInput } from '#kit/forms/fields/select-input.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { minorOf, priceField, typedPrice } from '#platform/format/money.ts';

const { name, credits, currency } = createPackage.body.shape;
const packageForm = z.object({ name, credits, price: priceField, currency });

interface PackageDialogProps {
  /** The package to edit; undefined to add one. */
  row?: CreditPackage;
  onClose: () => void;
}

const currencyOptions = currencies.map((value) => ({ value, label: value }));

export function PackageDialog({ row: stored, onClose }: PackageDialogProps) {
  const { t } = useTranslation('topUps');
  const { field, submission } = useCommandForm(stored ? editPackage : createPackage, {
    schema: packageForm,
    params: { id: stored?.id ?? '' },
    refreshes: ['packages'],
    defaultValues: stored
      ? {
          name: stored.name,
          credits: stored.credits,
          price: typedPrice(stored.price_minor),
          currency: stored.currency as (typeof currencies)[number],
        }
      : { name: '', price: '', currency: 'EUR' },
    bodyOf: ({ price, ...body }) => ({ ...body, price_minor: minorOf(price) }),
    onClose,
    doneText: (reply) => t('saved', { name: reply.package.name }),
  });
  return (
    <FormDialog
      submission={submission}
      title={stored ? t('editOf', { name: stored.name }) : t('package.add')}
      submitLabel={stored ? t('action.save') : t('package.add')}
      onClose={onClose}
    >
      <TextInput {...field('name')} label={t('field.nameOfThing')} autoFocus required />
      <TextInput {...field('credits')} label={t('field.credits')} type="number" required />
      <TextInput
        {...field('price')}
        label={t('field.price')}
        hint={t('package.priceHint')}
        autoComplete="off"
        required
      />
      <SelectInput
        {...field('currency')}
        label={t('field.currency')}
        options={currencyOptions}
        required
      />
    </FormDialog>
  );
}
