import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import type { Line } from '@linekeeper/contract/lines.ts';
import { type FormEvent, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useIdempotencyKey } from '../../shared/api/use-idempotency-key.ts';
import { applyServerErrors } from '../../shared/forms/apply-server-errors.ts';
import { changedFields } from '../../shared/forms/changed-fields.ts';
import { SubmitButton } from '../../shared/forms/submit-button.tsx';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { useUnsavedGuard } from '../../shared/forms/use-unsaved-guard.ts';
import { useMe } from '../../shared/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { ChangedByBoth, OverwriteQuestion } from './changed-by-both.tsx';
import styles from './edit-line.module.css';
import {
  AccessFields,
  CustomerFields,
  PlaceFields,
  ServerTextFields,
} from './edit-line-fields.tsx';
import {
  type EditLineValues,
  editLineForm,
  type LineForm,
  storedValues,
} from './edit-line-schema.ts';
import { FormProblems } from './form-problems.tsx';
import { useEditLine } from './queries.ts';
import { ChangeAdvice } from './refused-change.tsx';
import { useFollowLine } from './use-follow-line.ts';
import { useLaterDate } from './use-later-date.ts';
import { useRetrySync } from './use-retry-sync.ts';

const fieldOfCode = {
  USERNAME_EXISTS: 'username',
  USERNAME_REQUIRED: 'username',
  INVALID_EXPIRY_DATE: 'expiry_date',
  SERVER_NOT_FOUND: 'server_id',
  NO_ACTIVE_CCCAM_SERVERS: 'server_id',
  USER_NOT_FOUND: 'owner_id',
} as const satisfies Partial<Record<ErrorCode, string>>;

function useSave(form: LineForm, line: Line, onSaved: () => void) {
  const { t } = useTranslation('lines');
  const { warn } = useRetrySync(line);
  const keyFor = useIdempotencyKey();
  const { mutateAsync, isPending } = useEditLine(line.id);
  const { dirtyFields } = form.formState;
  /** Saves what was entered here, except in the fields that keep what somebody else has set. */
  const save = (theirs: (keyof EditLineValues)[] = []) => {
    const left = Object.fromEntries(theirs.map((name) => [name, false]));
    return form.handleSubmit(async (values) => {
      const body = changedFields(values, { ...dirtyFields, ...left });
      if (Object.keys(body).length === 0) return onSaved();
      try {
        const { line: saved, cost, sync } = await mutateAsync({ body, key: keyFor(body) });
        onSaved();
        const { username } = saved;
        if (!sync.ok) warn(sync.message, t(cost > 0 ? 'done.savedAndPaid' : 'done.saved'));
        else
          toast.success(
            cost > 0
              ? t('edit.savedFor', { username, count: cost })
              : t('edit.saved', { username }),
          );
      } catch (error) {
        applyServerErrors(form, error, fieldOfCode);
      }
    })();
  };
  return { save, isPending };
}

export function EditLineForm({ line, onLeave }: { line: Line; onLeave: () => void }) {
  const { t } = useTranslation('lines');
  const { is_admin } = useMe();
  const form: LineForm = useContractForm({
    schema: editLineForm,
    defaultValues: storedValues(line),
  });
  const both = useFollowLine(form, line);
  const letLeave = useUnsavedGuard(form.formState.isDirty);
  const { save, isPending } = useSave(form, line, () => {
    letLeave();
    onLeave();
  });
  const [isAsking, setAsking] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (both.length > 0) setAsking(true);
    else void save();
  };
  const keepTheirs = () => {
    setAsking(false);
    for (const name of both) form.resetField(name);
    void save(both);
  };
  return (
    <Card as="div">
      <form className={styles.form} onSubmit={submit} noValidate aria-label={t('edit.title')}>
        <FormProblems form={form} advice={(error) => <ChangeAdvice error={error} />} />
        {both.length > 0 && <ChangedByBoth form={form} names={both} />}
        <AccessFields form={form} line={line} />
        {is_admin && <PlaceFields form={form} line={line} />}
        <CustomerFields form={form} />
        <ServerTextFields form={form} />
        <div className={styles.actions}>
          <SubmitButton pending={isPending} size="large">
            <Effect form={form} line={line} />
          </SubmitButton>
          <Button size="large" onClick={onLeave} disabled={isPending}>
            {t('add.cancel')}
          </Button>
        </div>
      </form>
      {isAsking && (
        <OverwriteQuestion
          form={form}
          names={both}
          onSaveMine={() => {
            setAsking(false);
            void save();
          }}
          onKeepTheirs={keepTheirs}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  );
}

/** What the button does, in words: a later date is paid with it. */
function Effect({ form, line }: { form: LineForm; line: Line }) {
  const { t } = useTranslation('lines');
  const { t: common } = useTranslation();
  const text = useWatch({ control: form.control, name: 'expiry_date' });
  const quote = useLaterDate(line, text);
  return quote && quote.cost > 0 ? t('edit.saveFor', { count: quote.cost }) : common('action.save');
}
