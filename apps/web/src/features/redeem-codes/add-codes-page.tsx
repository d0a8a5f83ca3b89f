import {
  createRedeemCodes,
  MAX_CODES_AT_ONCE,
  type RedeemCode,
} from '@linekeeper/contract/credits/redeem-codes.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { expiryOf } from '#kit/forms/day-and-time.ts';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { FormPage } from '#kit/forms/form.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { CodeFields, newCodesForm } from './code-fields.tsx';
import { MadeCodes } from './made-codes.tsx';

const newCodes = { count: 1, code: '', description: '', max_uses: 1, day: '', time: '' };

export function AddCodesPage() {
  const [made, setMade] = useState<RedeemCode[] | null>(null);
  if (made) return <MadeCodes codes={made} onCreateMore={() => setMade(null)} />;
  return <AddCodesForm onMade={setMade} />;
}

function AddCodesForm({ onMade }: { onMade: (codes: RedeemCode[]) => void }) {
  const { t } = useTranslation('redeemCodes');
  const { form, field, submission } = useCommandForm(createRedeemCodes, {
    schema: newCodesForm,
    refreshes: ['redeem-codes'],
    defaultValues: newCodes,
    bodyOf: ({ day, time, code, ...body }) => ({
      ...body,
      ...(code ? { code } : {}),
      expires_at: expiryOf({ day, time }),
    }),
    done: ({ codes }) => onMade(codes),
    fieldOfCode: { CODE_EXISTS: 'code' },
  });
  const count = newCodesForm.shape.count.safeParse(form.watch('count')).data ?? 1;
  return (
    <FormPage
      submission={submission}
      label={t('nav.addCodes')}
      submitLabel={t('nav.addCodes')}
      cancelTo="/redeem-codes"
    >
      <TextInput {...field('credits')} label={t('form.credits')} type="number" autoFocus required />
      <TextInput
        {...field('count')}
        label={t('form.count')}
        hint={t('form.countHint', { maximum: MAX_CODES_AT_ONCE })}
        type="number"
      />
      {count === 1 && (
        <TextInput
          {...field('code')}
          label={t('form.code')}
          hint={t('form.codeHint')}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <CodeFields control={form.control} />
    </FormPage>
  );
}
