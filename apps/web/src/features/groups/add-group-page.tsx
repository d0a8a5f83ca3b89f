import { createGroup } from '@linekeeper/contract/accounts/groups.ts';
import { useTranslation } from 'react-i18next';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { groupFields } from './group-fields.ts';
import { GroupForm } from './group-form.tsx';
import { GroupFrame } from './group-frame.tsx';

export function AddGroupPage() {
  const { t } = useTranslation('groups');
  const { form, submission } = useCommandForm(createGroup, {
    schema: groupFields,
    refreshes: ['groups'],
    waits: true,
    defaultValues: { name: '', description: '', permissions: [] },
    doneText: ({ group }) => t('added', { name: group.name }),
    leadsTo: '/manage-groups',
    fieldOfCode: { GROUP_NAME_EXISTS: 'name' },
  });
  return (
    <GroupFrame title={t('addGroup')} canAdd={false}>
      <GroupForm
        form={form}
        submission={submission}
        title={t('addGroup')}
        submitLabel={t('addGroup')}
      />
    </GroupFrame>
  );
}
