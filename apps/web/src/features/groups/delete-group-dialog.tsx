import type { Group } from '@linekeeper/contract/accounts/groups.ts';
import { Link, useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSend } from '../../shared/forms/use-send.ts';
import { isolate } from '../../shared/i18n/isolate.ts';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { toast } from '../../shared/state/toast.ts';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx';
import { Banner } from '../../shared/ui/states/banner.tsx';
import styles from './groups.module.css';
import { useDeleteGroup } from './queries.ts';

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
  const errorText = useErrorText();
  const navigate = useNavigate();
  const { id, member_count: count } = group;
  const name = isolate(group.name);
  const deletion = useSend({
    send: useDeleteGroup(id).mutateAsync,
    onSuccess: () => {
      toast.success(t('delete.done', { name }));
      onDeleted();
      return navigate({ to: '/manage-groups' });
    },
  });
  return (
    <ConfirmDialog
      open
      tone="danger"
      title={t('delete.title', { name })}
      text={count > 0 ? t('delete.members', { count }) : t('delete.empty')}
      confirmLabel={t('delete.action')}
      pending={deletion.isPending}
      blocked={count > 0 ? errors('GROUP_HAS_USERS') : undefined}
      onConfirm={() => void deletion.send(null)}
      onClose={onClose}
    >
      {count > 0 && (
        <Link to="/resellers" search={{ group: id }} className={styles.toMembers}>
          {t('showMembers', { count })}
        </Link>
      )}
      {deletion.error !== null && <Banner tone="error" title={errorText(deletion.error)} isAlert />}
    </ConfirmDialog>
  );
}
