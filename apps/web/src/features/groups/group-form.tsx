import { type Permission, permissions } from '@linekeeper/contract/permissions.ts';
import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { useFieldErrorText } from '#kit/forms/fields/use-field.ts';
import { Form } from '#kit/forms/form.tsx';
import { FormProblems } from '#kit/forms/form-problems.tsx';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import type { Submission } from '#kit/forms/use-submit.ts';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { Checkbox } from '#kit/ui/controls/checkbox.tsx';
import { useCan } from '#platform/data/session.ts';
import type { GroupFormOf } from './group-fields.ts';

interface GroupFormProps {
  form: GroupFormOf;
  submission: Submission;
  title: string;
  lead?: ReactNode;
  submitLabel: string;
  /** The reason why the permissions cannot be changed. */
  permissionsStay?: string | undefined;
  members?: ReactNode;
  end?: ReactNode;
}

export function GroupForm({ form, submission, title, submitLabel, ...slots }: GroupFormProps) {
  const { t } = useTranslation();
  // Readers with only view_groups see the permissions but cannot change them.
  const mayEdit = useCan(['manage_groups']);
  return (
    <Card as="section">
      <div className="mb-6 phone:[&_h2]:hidden phone:[&:not(:has(p))]:hidden">
        <h2>{title}</h2>
        {slots.lead && <p className="text-text-2">{slots.lead}</p>}
      </div>
      <Form submission={submission} label={title}>
        <FormProblems form={form} />
        {mayEdit && <Texts form={form} />}
        <PermissionGrid form={form} stays={slots.permissionsStay} isReadOnly={!mayEdit} />
        {slots.members}
        {mayEdit && (
          <div className="flex flex-wrap items-stretch gap-2 pt-6 border-t border-t-divider [&>:nth-child(3)]:ms-auto phone:flex-col phone:[&>:nth-child(3)]:m-0">
            <SubmitButton pending={submission.isPending}>{submitLabel}</SubmitButton>
            <ButtonLink to="/manage-groups">{t('action.cancel')}</ButtonLink>
            {slots.end}
          </div>
        )}
      </Form>
    </Card>
  );
}

function Texts({ form: { control } }: { form: GroupFormOf }) {
  const { t } = useTranslation('groups');
  return (
    <div className="grid grid-cols-[240px_minmax(0,1fr)] items-start gap-4 phone:grid-cols-1 phone:gap-5">
      <TextInput
        control={control}
        name="name"
        label={t('field.nameOfThing')}
        autoComplete="off"
        maxLength={100}
        required
      />
      <TextInput
        control={control}
        name="description"
        label={t('field.description')}
        autoComplete="off"
        maxLength={500}
      />
    </div>
  );
}

/** Permissions in pairs: one to see something, followed by the one to manage it. */
const inPairs: readonly Permission[] = [
  'view_users',
  'manage_users',
  'view_groups',
  'manage_groups',
  'view_resellers',
  'manage_resellers',
  'add_credits',
];

interface PermissionGridProps {
  form: GroupFormOf;
  /** The reason why the permissions cannot be changed. */
  stays?: string | undefined;
  isReadOnly?: boolean;
}

/** The look of a permission that cannot be chosen. */
const READ_ONLY =
  '[&:has(:disabled)]:border-divider-strong [&:has(:disabled)]:bg-head [&:has(:disabled)]:cursor-default';

function PermissionGrid({ form, stays, isReadOnly = false }: PermissionGridProps) {
  const { t } = useTranslation('groups');
  const id = useId();
  const { field, fieldState } = useController({ control: form.control, name: 'permissions' });
  const chosen = field.value ?? [];
  const problem = useFieldErrorText()(fieldState.error);
  const choose = (permission: Permission, isChosen: boolean) =>
    field.onChange(
      permissions.filter((one) => (one === permission ? isChosen : chosen.includes(one))),
    );
  return (
    <fieldset aria-labelledby={`${id}-title`}>
      <div className="flex items-center flex-wrap justify-between gap-y-0 gap-x-4 mb-2">
        <span className="type-strong" id={`${id}-title`}>
          {t('field.permissions')}
        </span>
        <span className="text-text-2 type-caption" aria-live="polite">
          {stays ?? t('chosen', { chosen: chosen.length, all: permissions.length })}
        </span>
      </div>
      <div className="grid grid-cols-2 gap-3 phone:grid-cols-1 phone:gap-2">
        {inPairs.map((permission) => (
          <label
            key={permission}
            htmlFor={`${id}-${permission}`}
            className={`flex items-start gap-3 py-3 px-4 border border-divider-strong rounded-[12px] cursor-pointer [&>input]:mt-0.5 [&:has(:checked)]:border-primary [&:has(:checked)]:bg-selected ${READ_ONLY}`}
          >
            <Checkbox
              id={`${id}-${permission}`}
              checked={chosen.includes(permission)}
              disabled={isReadOnly || stays !== undefined}
              aria-labelledby={`${id}-${permission}-name`}
              aria-describedby={`${id}-${permission}-allows`}
              onChange={({ target }) => choose(permission, target.checked)}
              onBlur={field.onBlur}
            />
            <span className="grid grid-cols-1 gap-0.5 type-strong min-w-0 wrap-anywhere">
              <span id={`${id}-${permission}-name`}>{t(`permissions.${permission}`)}</span>
              <small id={`${id}-${permission}-allows`}>{t(`allows.${permission}`)}</small>
            </span>
          </label>
        ))}
      </div>
      {problem && (
        <p className="flex items-center gap-1.5 mt-2 text-error-fg type-caption">
          <CircleAlert size={14} />
          {problem}
        </p>
      )}
    </fieldset>
  );
}
