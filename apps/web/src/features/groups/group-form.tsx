import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../shared/data/session.ts';
import { TextInput } from '../../shared/forms/fields/text-input.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { FormProblems } from '../../shared/forms/form-problems.tsx';
import { SubmitButton } from '../../shared/forms/submit-button.tsx';
import type { Submission } from '../../shared/forms/use-submit.ts';
import { ButtonLink } from '../../shared/ui/buttons/button-link.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { Row } from '../../shared/ui/vocabulary.tsx';
import type { GroupFormOf } from './group-fields.ts';
import styles from './groups.module.css';
import { PermissionGrid } from './permission-grid.tsx';

interface GroupFormProps {
  form: GroupFormOf;
  submission: Submission;
  title: string;
  /** Shown below the title. */
  lead?: ReactNode;
  submitLabel: string;
  /** The reason why the permissions stay as they are. */
  permissionsStay?: string | undefined;
  /** Shown above the buttons. */
  members?: ReactNode;
  /** Shown at the end of the buttons' line. */
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
        {slots.lead && <p>{slots.lead}</p>}
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
    <div className={styles.texts}>
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
    </div>
  );
}
