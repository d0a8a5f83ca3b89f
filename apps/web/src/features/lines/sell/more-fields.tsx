import { lineDetails, lineDetailsWith } from '@linekeeper/contract/fields/line-details.ts';
import type { newLine } from '@linekeeper/contract/lines/lines.ts';
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { useMe } from '#platform/data/session.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import type { NewLineForm } from './add-line-types.ts';
import { DetailInput } from './detail-input.tsx';

/** The input for the owner of a new line. Only administrators can sell for another account. */
const OwnerInput = lazyPart(
  async () => {
    const { AccountInput } = await import('#domain/accounts/account-picker.tsx');
    return { OwnerInput: AccountInput<z.input<typeof newLine>, z.output<typeof newLine>> };
  },
  'OwnerInput',
  // The placeholder reserves the field's height until its code is loaded, to avoid a layout shift.
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

/** Names of the optional fields without notes, which are beside the owner. */
const detailNames = lineDetailsWith('isSold', true).filter((name) => name !== 'notes');
const isRare = (name: (typeof detailNames)[number]) => lineDetails[name].isRare === true;
const commonNames = detailNames.filter((name) => !isRare(name));
const rareNames = detailNames.filter(isRare);

/** Names of the fields that stay empty for most lines. */
export const moreNames = ['owner_id', 'notes', ...detailNames] as const;

/** The fields about the customer; those that few sellers use are collapsed. */
export function Details({ control }: FieldsProps) {
  const { t } = useTranslation('lines');
  return (
    <>
      {commonNames.map((name) => (
        <DetailInput key={name} control={control} name={name} />
      ))}
      <Folded title={t('recurring.rare')}>
        {rareNames.map((name) => (
          <DetailInput key={name} control={control} name={name} />
        ))}
      </Folded>
    </>
  );
}

/** Optional customer details, collapsed because most lines are sold without them. */
export function FoldedDetails({ control }: FieldsProps) {
  const { t } = useTranslation('lines');
  return (
    <Folded title={t('add.moreDetails')}>
      <Details control={control} />
    </Folded>
  );
}

function Folded({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="[&[open]>summary_svg]:[transform:rotate(0.5turn)]">
      <summary className="flex items-center gap-1 w-max min-h-8 text-primary type-button cursor-pointer [&::-webkit-details-marker]:hidden">
        {title}
        <ChevronDown size={18} aria-hidden="true" />
      </summary>
      <div className="grid grid-cols-1 gap-6 mt-4">{children}</div>
    </details>
  );
}
