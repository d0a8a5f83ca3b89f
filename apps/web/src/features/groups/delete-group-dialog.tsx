import { deleteGroup, type Group } from '@linekeeper/contract/accounts/groups.ts';
import { Link, useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmAction } from '../../shared/commands/confirm-action.tsx';
import { useCommand } from '../../shared/commands/use-command.ts';
import { toast } from '../../shared/state/toast.ts';
import { Button } from '../../shared/ui/buttons/button.tsx';
import styles from './groups.module.css';

interface DeleteGroupProps {
  group: Group;
  /** Called before the page of the group is left. */
  onDeleted: () => void;
}

export function DeleteGroupButton(props: DeleteGroupProps) {
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
      title={t('delete.title', { name })}
      text={count > 0 ? t('delete.members', { count }) : t('delete.empty')}
      confirmLabel={t('delete.action')}
      blocked={count > 0 ? errors('GROUP_HAS_USERS') : undefined}
      done={() => {
        toast.success(t('delete.done', { name }));
        onDeleted();
        return navigate({ to: '/manage-groups' });
      }}
      onClose={onClose}
    >
      {count > 0 && (
        <Link to="/resellers" search={{ group: id }} className={styles.toMembers}>
          {t('showMembers', { count })}
        </Link>
      )}
    </ConfirmAction>
  );
}
