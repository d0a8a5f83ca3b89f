import { editGroup, type Group } from '@linekeeper/contract/accounts/groups.ts';
import { ADMIN_GROUP } from '@linekeeper/contract/permissions.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Shield } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../shared/commands/use-command.ts';
import { everyGroupQuery, useGroupTexts } from '../../shared/data/groups.ts';
import { formatDate } from '../../shared/format/format-moment.ts';
import { changedFields } from '../../shared/forms/changed-fields.ts';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../shared/forms/use-submit.ts';
import { toast } from '../../shared/state/toast.ts';
import { ButtonLink } from '../../shared/ui/buttons/button-link.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { EmptyPanel } from '../../shared/ui/states/empty-panel.tsx';
import { FailedPanel } from '../../shared/ui/states/failed-panel.tsx';
import { DeleteGroupButton } from './delete-group-dialog.tsx';
import { groupFields, isFixed } from './group-fields.ts';
import { GroupForm } from './group-form.tsx';
import { GroupFrame } from './group-frame.tsx';
import { GroupMembers } from './group-members.tsx';

export function EditGroupPage() {
  const { t } = useTranslation('groups');
  const { id } = useParams({ from: '/shell/manage-groups/$id' });
  const { data, error, isPending, refetch } = useQuery(everyGroupQuery());
  const { nameOf } = useGroupTexts();
  const group = data?.find((one) => one.id === id);
  return (
    <GroupFrame title={group && nameOf(group)}>
      {group && <EditGroupForm key={id} group={group} />}
      {!group && !isPending && (
        <Card>
          {data ? (
            <EmptyPanel
              icon={<Shield size={32} />}
              title={t('notFound')}
              action={<ButtonLink to="/manage-groups">{t('title')}</ButtonLink>}
            />
          ) : (
            <FailedPanel error={error} onRetry={() => refetch()} />
          )}
        </Card>
      )}
    </GroupFrame>
  );
}

/**
 * Texts of a fixed group are shown translated. Unless they are edited, they stay stored as they
 * are.
 */
function useShownValues(group: Group) {
  const { nameOf, descriptionOf } = useGroupTexts();
  const { permissions } = group;
  return { name: nameOf(group), description: descriptionOf(group), permissions };
}

function EditGroupForm({ group }: { group: Group }) {
  const { t, i18n } = useTranslation('groups');
  const { t: errors } = useTranslation('errors');
  const navigate = useNavigate();
  const shown = useShownValues(group);
  const form = useContractForm({ schema: groupFields, values: shown });
  const submission = useSubmit({
    form,
    bodyOf: ({ permissions, ...texts }) => ({
      ...changedFields(texts, form.getValues(), shown),
      ...(String(permissions) === String(shown.permissions) ? {} : { permissions }),
    }),
    command: useCommand(editGroup, {
      params: { id: group.id },
      refreshes: ['groups'],
      waits: true,
    }),
    done: (_, { name = shown.name }) => {
      toast.success(t('saved', { name }));
      return navigate({ to: '/manage-groups' });
    },
    fieldOfCode: { GROUP_NAME_EXISTS: 'name' },
  });
  const fixed = isFixed(group.id);
  const day = formatDate(group.created_at, i18n.language);
  const made = group.made_by ? t('madeBy', { name: group.made_by, day }) : t('made', { day });
  return (
    <GroupForm
      form={form}
      submission={submission}
      title={shown.name}
      lead={fixed ? t('isFixed') : made}
      submitLabel={t('action.save')}
      permissionsStay={group.id === ADMIN_GROUP ? errors('ADMIN_KEEPS_PERMISSIONS') : undefined}
      members={<GroupMembers group={group} isFixed={fixed} />}
      end={!fixed && <DeleteGroupButton group={group} onDeleted={submission.letLeave} />}
    />
  );
}
