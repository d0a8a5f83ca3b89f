import { resolveTopUp, type TopUp } from '@linekeeper/contract/credits/top-ups.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { Button } from '#kit/ui/buttons/button.tsx';

interface TopUpProps {
  topUp: TopUp;
}

/** The button that settles a flagged top-up, with a dialog for a note. */
export function ResolveButton({ topUp }: TopUpProps) {
  const { t } = useTranslation('topUps');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
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
  const { field, submission } = useCommandForm(resolveTopUp, {
    params: { id },
    refreshes: ['top-ups'],
    defaultValues: { note: '' },
    onClose,
    doneText: () => t('resolve.done', { number }),
  });
  return (
    <FormDialog
      submission={submission}
      title={t('resolve.title', { number })}
      text={t('resolve.text')}
      submitLabel={t('resolve.action')}
      onClose={onClose}
    >
      <TextInput {...field('note')} label={t('field.note')} autoFocus required />
    </FormDialog>
  );
}
