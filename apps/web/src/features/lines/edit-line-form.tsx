import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import type { Line } from '@linekeeper/contract/lines.ts';
import { useEffect, useRef, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useIdempotencyKey } from '../../shared/api/use-idempotency-key.ts';
import { applyServerErrors } from '../../shared/forms/apply-server-errors.ts';
import { changedFields } from '../../shared/forms/changed-fields.ts';
import { labelOf } from '../../shared/forms/field-labels.ts';
import { SubmitButton } from '../../shared/forms/submit-button.tsx';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { useUnsavedGuard } from '../../shared/forms/use-unsaved-guard.ts';
import { usePushMessage } from '../../shared/i18n/use-push-message.ts';
import { useMe } from '../../shared/session.ts';
import { Banner } from '../../shared/ui/banner.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { toast } from '../../shared/ui/toast.ts';
import styles from './edit-line.module.css';
import {
  AccessFields,
  CustomerFields,
  PlaceFields,
  ServerTextFields,
} from './edit-line-fields.tsx';
import {
  changedMeanwhile,
  type EditLineValues,
  editLineForm,
  type LineForm,
  storedValues,
} from './edit-line-schema.ts';
import { FormProblems } from './form-problems.tsx';
import { useEditLine } from './queries.ts';
import { ChangeAdvice } from './refused-change.tsx';
import { useLaterDate } from './use-later-date.ts';

const fieldOfCode = {
  USERNAME_EXISTS: 'username',
  USERNAME_REQUIRED: 'username',
  INVALID_EXPIRY_DATE: 'expiry_date',
  SERVER_NOT_FOUND: 'server_id',
  NO_ACTIVE_CCCAM_SERVERS: 'server_id',
  USER_NOT_FOUND: 'owner_id',
} as const satisfies Partial<Record<ErrorCode, string>>;

/**
 * Takes over what somebody else changes while the form is open, except where the reader has typed.
 * Returns the fields where both did.
 */
function useFollowLine(form: LineForm, line: Line): (keyof EditLineValues)[] {
  const { dirtyFields } = form.formState;
  const known = useRef(storedValues(line));
  const [changedHere, setChangedHere] = useState<(keyof EditLineValues)[]>([]);
  useEffect(() => {
    const now = storedValues(line);
    const changed = changedMeanwhile(known.current, now);
    known.current = now;
    if (changed.length === 0) return;
    form.reset(now, { keepDirtyValues: true, keepErrors: true });
    setChangedHere((before) => [...new Set([...before, ...changed])]);
  }, [form, line]);
  return changedHere.filter((name) => dirtyFields[name]);
}

function useSave(form: LineForm, line: Line, onSaved: () => void) {
  const { t } = useTranslation('lines');
  const pushMessage = usePushMessage();
  const keyFor = useIdempotencyKey();
  const { mutateAsync, isPending } = useEditLine(line.id);
  const { dirtyFields } = form.formState;
  const save = form.handleSubmit(async (values) => {
    const body = changedFields(values, dirtyFields);
    if (Object.keys(body).length === 0) return onSaved();
    try {
      const { line: saved, cost, sync } = await mutateAsync({ body, key: keyFor(body) });
      onSaved();
      const { username } = saved;
      if (!sync.ok) toast.warning(pushMessage(sync.message));
      else
        toast.success(
          cost > 0 ? t('edit.savedFor', { username, count: cost }) : t('edit.saved', { username }),
        );
    } catch (error) {
      applyServerErrors(form, error, fieldOfCode);
    }
  });
  return { save, isPending };
}

export function EditLineForm({ line, onLeave }: { line: Line; onLeave: () => void }) {
  const { t } = useTranslation('lines');
  const { is_admin } = useMe();
  const form: LineForm = useContractForm({
    schema: editLineForm,
    defaultValues: storedValues(line),
  });
  const { control } = form;
  const both = useFollowLine(form, line);
  const letLeave = useUnsavedGuard(form.formState.isDirty);
  const { save, isPending } = useSave(form, line, () => {
    letLeave();
    onLeave();
  });
  return (
    <Card as="div">
      <form className={styles.form} onSubmit={save} noValidate aria-label={t('edit.title')}>
        <FormProblems form={form} advice={(error) => <ChangeAdvice error={error} />} />
        {both.length > 0 && (
          <Banner tone="warning" title={t('edit.changedMeanwhile')} isAlert>
            {t('edit.bothChanged', {
              fields: both.map((name) => labelOf(control, name) ?? name).join(', '),
            })}
          </Banner>
        )}
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
