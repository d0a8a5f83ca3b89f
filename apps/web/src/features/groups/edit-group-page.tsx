import { listAccounts } from '@linekeeper/contract/accounts/accounts.ts';
import { deleteGroup, editGroup, type Group } from '@linekeeper/contract/accounts/groups.ts';
import { ADMIN_GROUP } from '@linekeeper/contract/permissions.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Shield, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { everyGroupQuery, useGroupTexts, useMembersPlace } from '#domain/accounts/groups.ts';
import { ConfirmAction } from '#kit/commands/confirm-action.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { changedFields } from '#kit/forms/changed-fields.ts';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { Avatar } from '#kit/ui/avatar.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { call } from '#platform/api/client.ts';
import { formatDate } from '#platform/format/format-moment.ts';
import { results } from '#platform/state/results.ts';
import { groupFields, isFixed } from './group-fields.ts';
import { GroupForm } from './group-form.tsx';
import { GroupFrame } from './group-frame.tsx';

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
              action={<ButtonLink to="/manage-groups">{t('nav.manageGroups')}</ButtonLink>}
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
 * The form's values. The name and description of a fixed group are shown translated; unless they
 * are edited, their stored texts stay.
 */
function useShownValues(group: Group) {
  const { nameOf, descriptionOf } = useGroupTexts();
  const { permissions } = group;
  return { name: nameOf(group), description: descriptionOf(group), permissions };
}

function EditGroupForm({ group }: { group: Group }) {
  const { t, i18n } = useTranslation('groups');
  const { t: errors } = useTranslation('errors');
  const shown = useShownValues(group);
  const { form, submission } = useCommandForm(editGroup, {
    schema: groupFields,
    params: { id: group.id },
    refreshes: ['groups'],
    waits: true,
    values: shown,
    bodyOf: ({ permissions, ...texts }, form) => ({
      ...changedFields(texts, form.getValues(), shown),
      ...(String(permissions) === String(shown.permissions) ? {} : { permissions }),
    }),
    doneText: (_, { name = shown.name }) => t('saved', { name }),
    leadsTo: '/manage-groups',
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
      members={<GroupMembers group={group} />}
      end={!fixed && <DeleteGroupButton group={group} onDeleted={submission.letLeave} />}
    />
  );
}

const FACES = 3;

function GroupMembers({ group }: { group: Group }) {
  const { t } = useTranslation('groups');
  const { id, member_count: count } = group;
  const place = useMembersPlace();
  const { data: some = [] } = useQuery({
    queryKey: ['accounts', 'members', id],
    queryFn: ({ signal }) =>
      call(listAccounts, { query: { group_id: id, limit: FACES } }, { signal }),
    select: ({ items }) => items,
    placeholderData: keepPreviousData,
    enabled: count > 0 && place !== null,
  });
  if (count === 0)
    return (
      <p className="flex items-center flex-wrap gap-y-2 gap-x-4 text-text-2 phone:[&_small]:basis-full phone:[&_small]:m-0">
        {t('noMembers')}
      </p>
    );
  return (
    <div className="flex items-center flex-wrap gap-y-2 gap-x-4 text-text-2 phone:[&_small]:basis-full phone:[&_small]:m-0">
      <span className="flex items-stretch gap-1 min-h-8">
        {some.map((member) => (
          <Avatar
            key={member.id}
            accountId={member.id}
            name={member.full_name || member.email}
            size={32}
          />
        ))}
      </span>
      {place && (
        <Link to={place} search={{ group: id }} className="link">
          {t('showMembers')}
        </Link>
      )}
    </div>
  );
}

interface DeleteGroupProps {
  group: Group;
  /** Called before the group's page is left. */
  onDeleted: () => void;
}

function DeleteGroupButton(props: DeleteGroupProps) {
  const { t } = useTranslation('groups');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="text"
        tone="danger"
        icon={<Trash2 aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        {t('delete.action')}
      </Button>
      {isOpen && <DeleteGroupDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function DeleteGroupDialog(props: DeleteGroupProps & { onClose: () => void }) {
  const { group, onDeleted, onClose } = props;
  const { t } = useTranslation('groups');
  const { t: errors } = useTranslation('errors');
  const navigate = useNavigate();
  const { id, member_count: count } = group;
  const { name } = group;
  const deletion = useCommand(deleteGroup, {
    params: { id },
    refreshes: ['groups'],
  });
  return (
    <ConfirmAction
      command={deletion}
      tone="danger"
      title={t('askDelete', { name })}
      text={count > 0 && t('delete.members', { count })}
      confirmLabel={t('delete.action')}
      blocked={count > 0 ? errors('GROUP_HAS_USERS') : undefined}
      done={() => {
        results.success(t('deleted', { name }));
        onDeleted();
        return navigate({ to: '/manage-groups' });
      }}
      onClose={onClose}
    >
      {count > 0 && (
        <Link to="/resellers" search={{ group: id }} className="link inline-block mt-2">
          {t('showMembers')}
        </Link>
      )}
    </ConfirmAction>
  );
}
