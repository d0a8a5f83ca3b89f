import { lineDetailsWith } from '@linekeeper/contract/fields/line-details.ts';
import type { newLine } from '@linekeeper/contract/lines/lines.ts';
import { ChevronDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { useMe } from '#platform/data/session.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import type { NewLineForm } from './add-line-types.ts';
import { DetailInput } from './detail-input.tsx';

/** Only administrators can sell a line for another account. */
const OwnerInput = lazyPart(
  async () => {
    const { AccountInput } = await import('#domain/accounts/account-picker.tsx');
    return { OwnerInput: AccountInput<z.input<typeof newLine>, z.output<typeof newLine>> };
  },
  'OwnerInput',
  // Reserves the field's height until its code is loaded, to avoid a layout shift.
  { before: () => <div className="h-18.5 phone:h-19.5" />, isPart: true },
);

interface FieldsProps {
  control: NewLineForm['control'];
}

/** The fields for notes and, for administrators, for the account that the line is sold for. */
export function OwnerAndNotes({ control }: FieldsProps) {
  const { t } = useTranslation('lines');
  const me = useMe();
  return (
    <>
      {me.is_admin && (
        <OwnerInput
          control={control}
          name="owner_id"
          label={t('field.owner')}
          initial={{ id: me.id, email: me.email }}
        />
      )}
      <TextInput control={control} name="notes" label={t('field.notes')} multiline />
    </>
  );
}

/** Notes stand beside the owner. */
const detailNames = lineDetailsWith('isSold', true).filter((name) => name !== 'notes');

/** Names of the fields that most lines are sold without. */
export const moreNames = ['owner_id', 'notes', ...detailNames] as const;

export function Details({ control }: FieldsProps) {
  return detailNames.map((name) => <DetailInput key={name} control={control} name={name} />);
}

/** Optional customer details, collapsed because most lines are sold without them. */
export function FoldedDetails({ control }: FieldsProps) {
  const { t } = useTranslation('lines');
  return (
    <details className="[&[open]_summary_svg]:[transform:rotate(0.5turn)]">
      <summary className="flex items-center gap-1 w-max min-h-8 text-primary type-button cursor-pointer [&::-webkit-details-marker]:hidden">
        {t('add.moreDetails')}
        <ChevronDown size={18} aria-hidden="true" />
      </summary>
      <div className="grid grid-cols-1 gap-6 mt-4">
        <Details control={control} />
      </div>
    </details>
  );
}
