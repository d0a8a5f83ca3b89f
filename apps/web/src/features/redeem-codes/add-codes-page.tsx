import {
  createRedeemCodes,
  MAX_CODES_AT_ONCE,
  type RedeemCode,
} from '@linekeeper/contract/credits/redeem-codes.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../shared/commands/use-command.ts';
import { expiryOf } from '../../shared/forms/day-and-time.ts';
import { TextInput } from '../../shared/forms/fields/text-input.tsx';
import { FormActions, FormCard } from '../../shared/forms/form.tsx';
import { FormProblems } from '../../shared/forms/form-problems.tsx';
import { SubmitButton } from '../../shared/forms/submit-button.tsx';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../shared/forms/use-submit.ts';
import { PageHeader } from '../../shared/layout/page-header.tsx';
import { ButtonLink } from '../../shared/ui/buttons/button-link.tsx';
import { CodeFields } from './code-fields.tsx';
import { newCodesForm } from './code-form-schemas.ts';
import { MadeCodes } from './made-codes.tsx';

const newCodes = { count: 1, code: '', description: '', max_uses: 1, day: '', time: '' };

export function AddCodesPage() {
  const [made, setMade] = useState<RedeemCode[] | null>(null);
  return (
    <>
      <PageHeader />
      {made ? (
        <MadeCodes codes={made} onCreateMore={() => setMade(null)} />
      ) : (
        <AddCodesForm onMade={setMade} />
      )}
    </>
  );
}

function AddCodesForm({ onMade }: { onMade: (codes: RedeemCode[]) => void }) {
  const { t } = useTranslation('redeemCodes');
  const form = useContractForm({ schema: newCodesForm, defaultValues: newCodes });
  const { control } = form;
  const submission = useSubmit({
    form,
    command: useCommand(createRedeemCodes, { refreshes: ['redeem-codes'] }),
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
    <FormCard submission={submission} label={t('addCodes')}>
      <FormProblems form={form} />
      <TextInput
        control={control}
        name="credits"
        label={t('form.credits')}
        type="number"
        autoFocus
        required
      />
      <TextInput
        control={control}
        name="count"
        label={t('form.count')}
        hint={t('form.countHint', { maximum: MAX_CODES_AT_ONCE })}
        type="number"
      />
      {count === 1 && (
        <TextInput
          control={control}
          name="code"
          label={t('form.code')}
          hint={t('form.codeHint')}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <CodeFields control={control} />
      <FormActions>
        <SubmitButton pending={submission.isPending}>{t('create', { count })}</SubmitButton>
        <ButtonLink to="/redeem-codes">{t('action.cancel')}</ButtonLink>
      </FormActions>
    </FormCard>
  );
}
