import {
  type CreditPackage,
  createPackage,
  currencies,
  editPackage,
} from '@linekeeper/contract/credits/top-ups.ts';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { useCommand } from '../../shared/commands/use-command.ts';
import { SelectInput } from '../../shared/forms/fields/select-input.tsx';
import { TextInput } from '../../shared/forms/fields/text-input.tsx';
import { FormDialog } from '../../shared/forms/form-dialog.tsx';
import { FormProblems } from '../../shared/forms/form-problems.tsx';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../shared/forms/use-submit.ts';
import { toast } from '../../shared/state/toast.ts';
import { minorOf, typedPrice } from './money.ts';

const { name, credits, currency } = createPackage.body.shape;
const packageForm = z.object({
  name,
  credits,
  price: z
    .string({ error: 'REQUIRED' })
    .trim()
    .min(1, { error: 'REQUIRED' })
    .regex(/^\d{1,6}([.,]\d{1,2})?$/, { error: 'INVALID_VALUE' })
    .refine((text) => minorOf(text) > 0, { error: 'INVALID_VALUE' }),
  currency,
});

interface PackageDialogProps {
  /** Left out to add a package. */
  stored?: CreditPackage;
  onClose: () => void;
}

const currencyOptions = currencies.map((value) => ({ value, label: value }));

export function PackageDialog({ stored, onClose }: PackageDialogProps) {
  const { t } = useTranslation('topUps');
  const creation = useCommand(createPackage, { refreshes: ['packages'] });
  const change = useCommand(editPackage, {
    params: { id: stored?.id ?? '' },
    refreshes: ['packages'],
  });
  const form = useContractForm({
    schema: packageForm,
    defaultValues: stored
      ? {
          name: stored.name,
          credits: stored.credits,
          price: typedPrice(stored.price_minor),
          currency: stored.currency as (typeof currencies)[number],
        }
      : { name: '', price: '', currency: 'EUR' },
  });
  const submission = useSubmit({
    form,
    command: stored ? change : creation,
    bodyOf: ({ price, ...body }) => ({ ...body, price_minor: minorOf(price) }),
    done: (reply) => {
      onClose();
      toast.success(t('package.saved', { name: reply.package.name }));
    },
  });
  const { control } = form;
  return (
    <FormDialog
      submission={submission}
      title={stored ? t('package.edit', { name: stored.name }) : t('package.add')}
      text={stored && t('package.editText')}
      submitLabel={stored ? t('action.save') : t('package.add')}
      onClose={onClose}
    >
      <FormProblems form={form} />
      <TextInput control={control} name="name" label={t('field.nameOfThing')} autoFocus required />
      <TextInput
        control={control}
        name="credits"
        label={t('field.credits')}
        type="number"
        required
      />
      <TextInput
        control={control}
        name="price"
        label={t('columns.price')}
        hint={t('package.priceHint')}
        autoComplete="off"
        required
      />
      <SelectInput
        control={control}
        name="currency"
        label={t('package.currency')}
        options={currencyOptions}
        required
      />
    </FormDialog>
  );
}
