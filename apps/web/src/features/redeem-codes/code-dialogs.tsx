import {
  deleteRedeemCode,
  editRedeemCode,
  listRedemptions,
  type RedeemCode,
} from '@linekeeper/contract/credits/redeem-codes.ts';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmAction } from '#kit/commands/confirm-action.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { expiryOf } from '#kit/forms/day-and-time.ts';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { PlainList } from '#kit/list/plain-list.tsx';
import type { RowDialogProps } from '#kit/list/row-actions.tsx';
import { DialogText, InfoDialog } from '#kit/overlays/dialogs/dialog-parts.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { call } from '#platform/api/client.ts';
import { results } from '#platform/state/results.ts';
import { CodeFields, editCodeForm, expiryValues } from './code-fields.tsx';
import { Outcome } from './outcome.tsx';

const MOST_SHOWN = 100;

export function CodeHistoryDialog({ row: { id, code }, onClose }: RowDialogProps<RedeemCode>) {
  const { t } = useTranslation('redeemCodes');
  const titleId = useId();
  const { data, error, refetch } = useQuery({
    queryKey: ['redemptions', 'code', id],
    queryFn: ({ signal }) =>
      call(listRedemptions, { query: { code_id: id, limit: MOST_SHOWN } }, { signal }),
  });
  const more = (data?.total ?? 0) - MOST_SHOWN;
  return (
    <InfoDialog title={<span id={titleId}>{t('history.title', { code })}</span>} onClose={onClose}>
      {error && !data && <FailedPanel error={error} onRetry={() => void refetch()} />}
      {data?.items.length === 0 && <DialogText>{t('history.none')}</DialogText>}
      {data && data.items.length > 0 && (
        <PlainList labelledBy={titleId}>
          {data.items.map((redemption) => (
            <li
              key={redemption.id}
              className="flex items-center justify-between gap-4 py-2 px-0 text-text"
            >
              <span className="grid grid-cols-1 min-w-0 wrap-anywhere">
                <TypedText>{redemption.user_email}</TypedText>
                <small>
                  <Timestamp value={redemption.redeemed_at} />
                </small>
              </span>
              <Outcome {...redemption} />
            </li>
          ))}
        </PlainList>
      )}
      {more > 0 && <DialogText>{t('more', { count: more })}</DialogText>}
    </InfoDialog>
  );
}

export function EditCodeDialog({ row, onClose }: RowDialogProps<RedeemCode>) {
  const { t } = useTranslation('redeemCodes');
  const { id, code, credits, description, max_uses, expires_at } = row;
  const { form, field, submission } = useCommandForm(editRedeemCode, {
    schema: editCodeForm,
    params: { id },
    refreshes: ['redeem-codes'],
    defaultValues: {
      credits,
      description: description ?? '',
      max_uses,
      ...expiryValues(expires_at),
    },
    bodyOf: ({ day, time, ...body }, form) => {
      const { dirtyFields } = form.formState;
      const isMoved = dirtyFields.day || dirtyFields.time;
      // An expiry that was not edited here keeps its milliseconds.
      return { ...body, ...(isMoved ? { expires_at: expiryOf({ day, time }) } : {}) };
    },
    onClose,
    doneText: () => t('saved', { name: code }),
  });
  return (
    <FormDialog
      submission={submission}
      title={t('editOf', { name: code })}
      submitLabel={t('action.save')}
      onClose={onClose}
    >
      <TextInput {...field('credits')} label={t('form.credits')} type="number" autoFocus required />
      <CodeFields control={form.control} />
    </FormDialog>
  );
}

export function DeleteCodeDialog({ row: { id, code }, onClose }: RowDialogProps<RedeemCode>) {
  const { t } = useTranslation('redeemCodes');
  return (
    <ConfirmAction
      command={useCommand(deleteRedeemCode, { params: { id }, refreshes: ['redeem-codes'] })}
      tone="danger"
      title={t('askDelete', { name: code })}
      text={t('delete.text')}
      confirmLabel={t('delete.confirm')}
      done={() => results.success(t('deleted', { name: code }))}
      onClose={onClose}
    />
  );
}
