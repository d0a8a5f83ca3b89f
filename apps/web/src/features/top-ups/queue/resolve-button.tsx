import { resolveTopUp, type TopUp } from '@linekeeper/contract/credits/top-ups.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { TextInput } from '../../../shared/forms/fields/text-input.tsx';
import { FormDialog } from '../../../shared/forms/form-dialog.tsx';
import { FormProblems } from '../../../shared/forms/form-problems.tsx';
import { useContractForm } from '../../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../../shared/forms/use-submit.ts';
import { toast } from '../../../shared/state/toast.ts';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { useNeedsConnection } from '../../../shared/ui/use-needs-connection.ts';

interface TopUpProps {
  topUp: TopUp;
}

/** Lifts what an administrator has to look at. */
export function ResolveButton({ topUp }: TopUpProps) {
  const { t } = useTranslation('topUps');
  const blocked = useNeedsConnection();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        blocked={blocked}
        aria-label={t('resolve.title', { number: topUp.number })}
        onClick={() => setOpen(true)}
      >
        {t('resolve.action')}
      </Button>
      {isOpen && <ResolveDialog topUp={topUp} onClose={() => setOpen(false)} />}
    </>
  );
}

function ResolveDialog({ topUp: { id, number }, onClose }: TopUpProps & { onClose: () => void }) {
  const { t } = useTranslation('topUps');
  const form = useContractForm({ schema: resolveTopUp.body, defaultValues: { note: '' } });
  const submission = useSubmit({
    form,
    command: useCommand(resolveTopUp, { params: { id }, refreshes: ['top-ups'] }),
    done: () => {
      onClose();
      toast.success(t('resolve.done', { number }));
    },
  });
  return (
    <FormDialog
      submission={submission}
      title={t('resolve.title', { number })}
      text={t('resolve.text')}
      submitLabel={t('resolve.action')}
      onClose={onClose}
    >
      <FormProblems form={form} />
      <TextInput control={form.control} name="note" label={t('field.note')} autoFocus required />
    </FormDialog>
  );
}
