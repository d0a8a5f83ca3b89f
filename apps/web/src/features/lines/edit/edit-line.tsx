import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import { editLine } from '@linekeeper/contract/lines/line-changes.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { type FormEvent, useState } from 'react';
import { type FieldPath, type FieldValues, type UseFormReturn, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useRetrySync } from '#domain/lines/use-retry-sync.ts';
import { ChangeAdvice } from '#features/lines/refused-change.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { changedFields } from '#kit/forms/changed-fields.ts';
import { labelOf } from '#kit/forms/field-labels.ts';
import { Form, FormActions } from '#kit/forms/form.tsx';
import { FormProblems } from '#kit/forms/form-problems.tsx';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import { useContractForm } from '#kit/forms/use-contract-form.ts';
import { useSubmit } from '#kit/forms/use-submit.ts';
import { ConfirmDialog } from '#kit/overlays/dialogs/confirm-dialog.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { CommonFields, RareFields } from './edit-line-fields.tsx';
import { editLineForm, type LineForm, storedValues } from './edit-line-schema.ts';
import { useLaterDate, useShownCost } from './use-later-date.ts';

const NameProblemBanner = lazyPart(() => import('./name-problem-banner.tsx'), 'NameProblemBanner', {
  isPart: true,
});

/** The tab with the form that changes a line. */
export function EditLine({ line, onLeave }: { line: Line; onLeave: () => void }) {
  return (
    <div className="grid grid-cols-1 gap-6 phone:gap-4">
      {line.name_problem && <NameProblemBanner line={line} problem={line.name_problem} />}
      <EditLineForm line={line} onLeave={onLeave} />
    </div>
  );
}

const fieldOfCode = {
  USERNAME_EXISTS: 'username',
  USERNAME_REQUIRED: 'username',
  INVALID_EXPIRY_DATE: 'expiry_date',
  SERVER_NOT_FOUND: 'server_id',
  NO_ACTIVE_CCCAM_SERVERS: 'server_id',
  USER_NOT_FOUND: 'owner_id',
} as const satisfies Partial<Record<ErrorCode, string>>;

function useSave(form: LineForm, line: Line, onLeave: () => void) {
  const { t } = useTranslation('lines');
  const { tell } = useRetrySync(line);
  const shownCost = useShownCost(line);
  return useSubmit({
    form,
    bodyOf: (values) => {
      const body = changedFields(values, form.getValues(), storedValues(line));
      if (Object.keys(body).length === 0) {
        onLeave();
        return undefined;
      }
      const { expiry_date: day } = body;
      return { ...body, quoted_cost: day ? shownCost(day) : undefined };
    },
    command: useCommand(editLine, { params: { id: line.id }, refreshes: ['lines', 'me'] }),
    done: (reply) => {
      onLeave();
      const { username } = reply.line;
      if (reply.cost === 0) tell(reply, t('saved', { name: username }), t('line.sync.saved'));
      else {
        const credits = t('credits.amount', { count: reply.cost });
        tell(reply, t('edit.savedFor', { username, credits }), t('line.sync.savedAndPaid'));
      }
    },
    fieldOfCode,
  });
}

interface EditLineFormProps {
  line: Line;
  onLeave: () => void;
}

function EditLineForm({ line, onLeave }: EditLineFormProps) {
  const { t } = useTranslation('lines');
  const stored = storedValues(line);
  const form: LineForm = useContractForm({ schema: editLineForm, values: stored });
  const conflict = useEditConflict(form, stored);
  const submission = useSave(form, line, onLeave);
  const [isAsking, setAsking] = useState(false);
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    if (conflict.length > 0) setAsking(true);
    else await submission.submit();
  };
  const answer = (keepsTheirs: boolean) => {
    setAsking(false);
    if (keepsTheirs) for (const name of conflict) form.resetField(name);
    void submission.submit();
  };
  return (
    <Form submission={{ ...submission, submit }} label={t('edit.title')}>
      <FormProblems form={submission.form} advice={(error) => <ChangeAdvice error={error} />} />
      {conflict.length > 0 && <EditConflictBanner form={form} names={conflict} />}
      <CommonFields form={form} line={line} />
      <RareFields form={form} line={line} />
      <FormActions isSticky>
        <Save form={form} line={line} isPending={submission.isPending} />
        <Button size="large" onClick={onLeave} disabled={submission.isPending}>
          {t('action.cancel')}
        </Button>
      </FormActions>
      {isAsking && (
        <OverwriteQuestion
          form={form}
          names={conflict}
          onSaveMine={() => answer(false)}
          onKeepTheirs={() => answer(true)}
          onClose={() => setAsking(false)}
        />
      )}
    </Form>
  );
}

/** The label includes the price, because saving pays for a later date. */
function Save({ form, line, isPending }: { form: LineForm; line: Line; isPending: boolean }) {
  const { t } = useTranslation('lines');
  const text = useWatch({ control: form.control, name: 'expiry_date' });
  const { quote, isAsked, error } = useLaterDate(line, text);
  const isPriceKnown = !isAsked || quote !== null;
  return (
    <SubmitButton
      size="large"
      pending={isPending || (!isPriceKnown && error === null)}
      blocked={isPriceKnown || error === null ? undefined : t('edit.priceUnknown')}
    >
      {quote && quote.cost > 0
        ? t('edit.saveFor', { credits: t('credits.amount', { count: quote.cost }) })
        : t('action.save')}
    </SubmitButton>
  );
}

/**
 * The fields edited here whose stored value was also changed elsewhere. `values` are the values
 * stored now; the hook remembers those from when the form was opened.
 */
function useEditConflict<Values extends FieldValues, Output>(
  form: UseFormReturn<Values, unknown, Output>,
  values: Values,
): FieldPath<Values>[] {
  const [opened] = useState(values);
  const dirty = form.formState.dirtyFields as Partial<Record<string, unknown>>;
  return Object.keys(values).filter(
    (name): name is FieldPath<Values> => Boolean(dirty[name]) && values[name] !== opened[name],
  );
}

interface EditConflictProps<Values extends FieldValues, Output> {
  form: UseFormReturn<Values, unknown, Output>;
  names: FieldPath<Values>[];
}

function useFieldNames<Values extends FieldValues, Output>({
  form: { control },
  names,
}: EditConflictProps<Values, Output>): string {
  const { i18n } = useTranslation();
  const labels = names.map((name) => labelOf(control, name) ?? name);
  return new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(labels);
}

/** The banner is sticky, because a user typing further down does not see the top of the form. */
function EditConflictBanner<Values extends FieldValues, Output>(
  props: EditConflictProps<Values, Output>,
) {
  const { t } = useTranslation();
  const fields = useFieldNames(props);
  return (
    <div className="[--covered-top:0px] sticky top-[calc(var(--header)_+_8px)] z-3 [form:has(>&)]:[--covered-top:calc(var(--header)+96px)]">
      <Banner tone="warning" title={t('conflict.title')} isAlert>
        {t('conflict.fields', { fields })}
      </Banner>
    </div>
  );
}

interface OverwriteQuestionProps<Values extends FieldValues, Output>
  extends EditConflictProps<Values, Output> {
  onSaveMine: () => void;
  onKeepTheirs: () => void;
  onClose: () => void;
}

/** The question before values are replaced that another user has saved in the meantime. */
function OverwriteQuestion<Values extends FieldValues, Output>({
  onSaveMine,
  onKeepTheirs,
  onClose,
  ...conflict
}: OverwriteQuestionProps<Values, Output>) {
  const { t } = useTranslation();
  const fields = useFieldNames(conflict);
  return (
    <ConfirmDialog
      open
      title={t('conflict.question')}
      text={t('conflict.text', { fields })}
      confirmLabel={t('conflict.saveMine')}
      cancelLabel={t('conflict.keepTheirs')}
      onConfirm={onSaveMine}
      onCancel={onKeepTheirs}
      onClose={onClose}
    />
  );
}
