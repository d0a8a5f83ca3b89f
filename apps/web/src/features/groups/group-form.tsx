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
import { Caption, Grid, Muted, Row, Stack, Strong } from '#kit/ui/vocabulary.tsx';
import { useCan } from '#platform/data/session.ts';
import type { GroupFormOf } from './group-fields.ts';
import styles from './groups.module.css';

interface GroupFormProps {
  form: GroupFormOf;
  submission: Submission;
  title: string;
  lead?: ReactNode;
  submitLabel: string;
  /** The reason why the permissions stay as they are. */
  permissionsStay?: string | undefined;
  members?: ReactNode;
  end?: ReactNode;
}

export function GroupForm({ form, submission, title, submitLabel, ...slots }: GroupFormProps) {
  const { t } = useTranslation();
  // Readers with view_groups alone see the permissions without changing them.
  const mayEdit = useCan(['manage_groups']);
  return (
    <Card as="section">
      <div className={styles.title}>
        <h2>{title}</h2>
        {slots.lead && <Muted as="p">{slots.lead}</Muted>}
      </div>
      <Form submission={submission} label={title}>
        <FormProblems form={form} />
        {mayEdit && <Texts form={form} />}
        <PermissionGrid form={form} stays={slots.permissionsStay} isReadOnly={!mayEdit} />
        {slots.members}
        {mayEdit && (
          <Row align="stretch" gap={8} wrap className={styles.end}>
            <SubmitButton pending={submission.isPending}>{submitLabel}</SubmitButton>
            <ButtonLink to="/manage-groups">{t('action.cancel')}</ButtonLink>
            {slots.end}
          </Row>
        )}
      </Form>
    </Card>
  );
}

function Texts({ form: { control } }: { form: GroupFormOf }) {
  const { t } = useTranslation('groups');
  return (
    <Grid columns="240px minmax(0, 1fr)" align="start" gap={16} single="phone" phoneGap={20}>
      <TextInput
        control={control}
        name="name"
        label={t('name')}
        autoComplete="off"
        maxLength={100}
        required
      />
      <TextInput
        control={control}
        name="description"
        label={t('description')}
        autoComplete="off"
        maxLength={500}
      />
    </Grid>
  );
}

/** Permissions in pairs: one to see something, and beside it the one to manage it. */
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
  /** The reason why the permissions stay as they are. */
  stays?: string | undefined;
  isReadOnly?: boolean;
}

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
      <Row gap="0 16" justify="between" wrap below={8}>
        <Strong id={`${id}-title`} as="span">
          {t('permissionsTitle')}
        </Strong>
        <Caption aria-live="polite">
          {stays ?? t('chosen', { chosen: chosen.length, all: permissions.length })}
        </Caption>
      </Row>
      <Grid columns="repeat(2, minmax(0, 1fr))" gap={12} single="phone" phoneGap={8}>
        {inPairs.map((permission) => (
          <Row
            key={permission}
            htmlFor={`${id}-${permission}`}
            as="label"
            align="start"
            gap={12}
            className={styles.permission}
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
            <Stack as="span" gap={2} strong wraps>
              <span id={`${id}-${permission}-name`}>{t(`permissions.${permission}`)}</span>
              <small id={`${id}-${permission}-allows`}>{t(`allows.${permission}`)}</small>
            </Stack>
          </Row>
        ))}
      </Grid>
      {problem && (
        <Row as="p" above={8} gap={6} caption tone="error">
          <CircleAlert size={14} />
          {problem}
        </Row>
      )}
    </fieldset>
  );
}
