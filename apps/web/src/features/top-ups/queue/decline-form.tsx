import { rejectTopUp, type TopUp } from '@linekeeper/contract/credits/top-ups.ts';
import { useTranslation } from 'react-i18next';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { Form } from '#kit/forms/form.tsx';
import { FormProblems } from '#kit/forms/form-problems.tsx';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { results } from '#platform/state/results.ts';

interface DeclineFormProps {
  topUp: TopUp;
  onDeclined: (declined: TopUp) => void;
  onCancel: () => void;
}

/** The form for the reason of a refusal, within the card of the top-up, so that amount and note stay in view. */
export function DeclineForm({ topUp, onDeclined, onCancel }: DeclineFormProps) {
  const { t } = useTranslation('topUps');
  const { id, number, account_name } = topUp;
  const { form, field, submission } = useCommandForm(rejectTopUp, {
    params: { id },
    refreshes: ['top-ups'],
    defaultValues: { reason: '' },
    done: (declined) => {
      onDeclined(declined);
      results.success(t('reject.done', { number }));
    },
  });
  return (
    <Form
      submission={submission}
      label={t('reject.title', { number })}
      className="mt-4 pt-4 border-t border-t-divider"
    >
      <FormProblems form={form} />
      <div className="flex items-start gap-2 [&>:first-child]:flex-1 [&>:first-child]:min-w-0 phone:flex-col phone:items-stretch">
        <TextInput
          {...field('reason')}
          label={t('reject.reason')}
          hint={t('reject.hint', { name: account_name })}
          autoFocus
          required
        />
        <div className="flex flex-wrap items-stretch gap-2 pt-7.5 phone:pt-0 phone:[&>button]:flex-1">
          <Button disabled={submission.isPending} onClick={onCancel}>
            {t('action.cancel')}
          </Button>
          <SubmitButton tone="danger" pending={submission.isPending}>
            {t('reject.submit')}
          </SubmitButton>
        </div>
      </div>
    </Form>
  );
}
