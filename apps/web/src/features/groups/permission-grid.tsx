import { type Permission, permissions } from '@linekeeper/contract/permissions.ts';
import { CircleAlert } from 'lucide-react';
import { useId } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useFieldErrorText } from '../../shared/forms/fields/use-field.ts';
import { Checkbox } from '../../shared/ui/controls/checkbox.tsx';
import { Row } from '../../shared/ui/vocabulary.tsx';
import type { GroupFormOf } from './group-fields.ts';
import styles from './groups.module.css';

/** To see something stands beside to manage it. */
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

/** The permissions to choose from, each with what it allows. */
export function PermissionGrid({ form, stays, isReadOnly = false }: PermissionGridProps) {
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
      <Row justify="between" wrap className={styles.permissionsTitle}>
        <span id={`${id}-title`}>{t('permissionsTitle')}</span>
        <span aria-live="polite">
          {stays ?? t('chosen', { chosen: chosen.length, all: permissions.length })}
        </span>
      </Row>
      <div className={styles.grid}>
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
            <span>
              <span id={`${id}-${permission}-name`}>{t(`permissions.${permission}`)}</span>
              <small id={`${id}-${permission}-allows`}>{t(`allows.${permission}`)}</small>
            </span>
          </Row>
        ))}
      </div>
      {problem && (
        <Row as="p" gap={6} caption className={styles.problem}>
          <CircleAlert aria-hidden="true" size={14} />
          {problem}
        </Row>
      )}
    </fieldset>
  );
}
