import { createGroup } from '@linekeeper/contract/accounts/groups.ts';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../shared/commands/use-command.ts';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../shared/forms/use-submit.ts';
import { toast } from '../../shared/state/toast.ts';
import { groupFields } from './group-fields.ts';
import { GroupForm } from './group-form.tsx';
import { GroupFrame } from './group-frame.tsx';

export function AddGroupPage() {
  const { t } = useTranslation('groups');
  const navigate = useNavigate();
  const form = useContractForm({
    schema: groupFields,
    defaultValues: { name: '', description: '', permissions: [] },
  });
  const submission = useSubmit({
    form,
    command: useCommand(createGroup, { refreshes: ['groups'], waits: true }),
    done: ({ group }) => {
      toast.success(t('added', { name: group.name }));
      return navigate({ to: '/manage-groups' });
    },
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
