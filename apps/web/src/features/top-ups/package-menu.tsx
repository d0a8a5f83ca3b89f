import type { CreditPackage } from '@linekeeper/contract/credits/top-ups.ts';
import { Pencil, Power, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSend } from '../../shared/forms/use-send.ts';
import { isolate } from '../../shared/i18n/isolate.ts';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { toast } from '../../shared/state/toast.ts';
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx';
import { MoreMenu } from '../../shared/ui/overlays/more-menu.tsx';
import { useNeedsConnection } from '../../shared/ui/use-needs-connection.ts';
import { PackageDialog } from './package-dialog.tsx';
import { useDeletePackage, useEditPackage } from './queries.ts';

interface OfferProps {
  offer: CreditPackage;
}

/** Edit, on and off, delete. */
export function PackageMenu({ offer }: OfferProps) {
  const { t } = useTranslation('topUps');
  const { t: common } = useTranslation();
  const errorText = useErrorText();
  const blocked = useNeedsConnection();
  const [asked, setAsked] = useState<'edit' | 'delete' | null>(null);
  const { id, name, is_active } = offer;
  const turning = useSend({
    send: useEditPackage(id).mutateAsync,
    onSuccess: () => toast.success(t('package.saved', { name: isolate(name) })),
    onRefused: (error) => toast.error(errorText(error)),
  });
  const close = () => setAsked(null);
  return (
    <>
      <MoreMenu
        label={common('moreOf', { name: isolate(name) })}
        blocked={blocked}
        entries={[
          { name: 'edit', icon: Pencil, text: common('action.edit'), act: () => setAsked('edit') },
          {
            name: 'turn',
            icon: Power,
            text: t(is_active ? 'package.turnOff' : 'package.turnOn'),
            act: () => void turning.send({ is_active: !is_active }),
          },
          {
            name: 'delete',
            icon: Trash2,
            text: common('action.delete'),
            act: () => setAsked('delete'),
          },
        ]}
      />
      {asked === 'edit' && <PackageDialog stored={offer} onClose={close} />}
      {asked === 'delete' && <DeletePackageDialog offer={offer} onClose={close} />}
    </>
  );
}

function DeletePackageDialog({ offer, onClose }: OfferProps & { onClose: () => void }) {
  const { t } = useTranslation('topUps');
  const errorText = useErrorText();
  const name = isolate(offer.name);
  const deletion = useSend({
    send: useDeletePackage(offer.id).mutateAsync,
    onSuccess: () => {
      onClose();
      toast.success(t('package.deleted', { name }));
    },
    onRefused: (error) => toast.error(errorText(error)),
  });
  return (
    <ConfirmDialog
      open
      tone="danger"
      title={t('package.deleteTitle', { name })}
      text={t('package.deleteText')}
      confirmLabel={t('package.deleteConfirm')}
      pending={deletion.isPending}
      onConfirm={() => void deletion.send({})}
      onClose={onClose}
    />
  );
}
