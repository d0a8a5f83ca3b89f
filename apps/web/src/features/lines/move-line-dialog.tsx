import { lineChanges } from '@linekeeper/contract/line-changes.ts';
import type { Line } from '@linekeeper/contract/lines.ts';
import Dialog from '@mui/material/Dialog';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useIdempotencyKey } from '../../shared/api/use-idempotency-key.ts';
import { applyServerErrors } from '../../shared/forms/apply-server-errors.ts';
import { changedFields } from '../../shared/forms/changed-fields.ts';
import { FormErrorSummary } from '../../shared/forms/form-error-summary.tsx';
import { SubmitButton } from '../../shared/forms/submit-button.tsx';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { Button } from '../../shared/ui/button.tsx';
import { toast } from '../../shared/ui/toast.ts';

import styles from './line-dialogs.module.css';
import { OwnerInput } from './owner-input.tsx';
import { useEditLine } from './queries.ts';
import { ChangeAdvice } from './refused-change.tsx';
import { ServerInput } from './server-input.tsx';
import { useRetrySync } from './use-retry-sync.ts';

const place = lineChanges.pick({ owner_id: true, server_id: true });

/** Gives a line to another owner or server. */
export function MoveLineDialog({ line, onClose }: { line: Line; onClose: () => void }) {
  const { t } = useTranslation('lines');
  const { warn } = useRetrySync(line);
  const titleId = useId();
  const keyFor = useIdempotencyKey();
  const { mutateAsync, isPending } = useEditLine(line.id);
  const { owner_id, server_id, owner_email, username } = line;
  const form = useContractForm({ schema: place, defaultValues: { owner_id, server_id } });
  const { dirtyFields } = form.formState;
  const move = form.handleSubmit(async (values) => {
    const body = changedFields(values, dirtyFields);
    if (Object.keys(body).length === 0) return onClose();
    try {
      const { sync } = await mutateAsync({ body, key: keyFor(body) });
      onClose();
      if (sync.ok) toast.success(t('move.done', { username }));
      else warn(sync.message, t('done.saved'));
    } catch (error) {
      applyServerErrors(form, error, {
        USER_NOT_FOUND: 'owner_id',
        SERVER_NOT_FOUND: 'server_id',
        NO_ACTIVE_CCCAM_SERVERS: 'server_id',
      });
    }
  });
  return (
    <Dialog
      open
      onClose={isPending ? undefined : onClose}
      aria-labelledby={titleId}
      disableRestoreFocus
      // What the fields offer hangs below them.
      slotProps={{ paper: { sx: { overflow: 'visible' } } }}
    >
      <form className={styles.content} onSubmit={move} noValidate>
        <h2 id={titleId}>{t('move.title', { username })}</h2>
        <div className={styles.fields}>
          <FormErrorSummary form={form} advice={(error) => <ChangeAdvice error={error} />} />
          <ServerInput
            control={form.control}
            name="server_id"
            label={t('columns.server')}
            hint={t('move.serverHint')}
            currentId={server_id}
          />
          <OwnerInput
            control={form.control}
            name="owner_id"
            label={t('columns.owner')}
            initial={{ id: owner_id, email: owner_email }}
          />
        </div>
        <div className={styles.actions}>
          <Button onClick={onClose} disabled={isPending}>
            {t('add.cancel')}
          </Button>
          <SubmitButton pending={isPending}>{t('move.confirm')}</SubmitButton>
        </div>
      </form>
    </Dialog>
  );
}
