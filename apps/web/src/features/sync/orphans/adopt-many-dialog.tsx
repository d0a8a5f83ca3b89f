import { userId } from '@linekeeper/contract/fields/fields.ts';
import { MAX_ORPHANS_AT_ONCE } from '@linekeeper/contract/servers/orphans.ts';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { FormDialog } from '../../../shared/forms/form-dialog.tsx';
import { FormProblems } from '../../../shared/forms/form-problems.tsx';
import { AccountInput } from '../../../shared/forms/pickers/account-picker.tsx';
import { useContractForm } from '../../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../../shared/forms/use-submit.ts';
import { isolate } from '../../../shared/i18n/isolate.ts';
import { useErrorText } from '../../../shared/i18n/use-error-text.ts';
import { useMe } from '../../../shared/session.ts';
import { toast } from '../../../shared/ui/toasts/toast.ts';
import { useAdopt } from './queries.ts';

const adoptionForm = z.object({ owner_id: userId });
/** Of those that were not adopted; the rest is still in the list. */
const NAMED = 3;

interface AdoptManyDialogProps {
  ids: readonly string[];
  onDone: () => void;
  onClose: () => void;
}

/** Asks for the owner of the new lines; all else is as their servers tell. */
export function AdoptManyDialog({ ids, onDone, onClose }: AdoptManyDialogProps) {
  const { t } = useTranslation('sync');
  const errorText = useErrorText();
  const me = useMe();
  const form = useContractForm({ schema: adoptionForm, defaultValues: { owner_id: me.id } });
  const submission = useSubmit({
    form,
    send: useAdopt().mutateAsync,
    bodyOf: (values) => ({ ids: [...ids], ...values }),
    onSuccess: ({ items }) => {
      onClose();
      onDone();
      const refused = items.flatMap(({ username, refusal }) =>
        refusal ? [`${isolate(username)}: ${errorText(refusal)}`] : [],
      );
      const left = ids.length - (items.length - refused.length);
      const adopted = ids.length - left;
      if (adopted > 0) toast.success(t('orphans.adopt.doneMany', { count: adopted }));
      if (left === 0) return;
      toast.warning(t('orphans.adopt.left', { count: left }), {
        detail: refused.slice(0, NAMED).join(' · '),
        stays: true,
      });
    },
    fieldOfCode: { USER_NOT_FOUND: 'owner_id' },
  });
  const isTooMany = ids.length > MAX_ORPHANS_AT_ONCE;
  return (
    <FormDialog
      submission={submission}
      title={t('orphans.adopt.titleMany', { count: ids.length })}
      text={t('orphans.adopt.textMany')}
      submitLabel={t('orphans.adopt.many', { count: ids.length })}
      blocked={isTooMany ? t('orphans.adopt.tooMany', { maximum: MAX_ORPHANS_AT_ONCE }) : undefined}
      onClose={onClose}
    >
      <FormProblems form={form} />
      <AccountInput
        control={form.control}
        name="owner_id"
        label={t('orphans.adopt.owner')}
        initial={me}
        required
      />
    </FormDialog>
  );
}
