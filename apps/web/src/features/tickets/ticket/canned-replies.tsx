import { MessageSquareText } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyComponent } from '../../../shared/start/lazy-component.tsx';
import { Button } from '../../../shared/ui/buttons/button.tsx';

const CannedRepliesMenu = lazyComponent(
  async () => (await import('./canned-replies-menu.tsx')).CannedRepliesMenu,
  { isOpen: ({ anchor }) => anchor },
);
const CannedRepliesDialog = lazyComponent(
  async () => (await import('./canned-replies-dialog.tsx')).CannedRepliesDialog,
);

/** Puts a text that is kept for it into the reply; keeps further ones. */
export function CannedReplies({ onChoose }: { onChoose: (text: string) => void }) {
  const { t } = useTranslation('tickets');
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isManaging, setManaging] = useState(false);
  return (
    <>
      <Button
        icon={<MessageSquareText aria-hidden="true" />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onPointerEnter={CannedRepliesMenu.fetch}
        onFocus={CannedRepliesMenu.fetch}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        {t('canned.open')}
      </Button>
      <CannedRepliesMenu
        anchor={anchor}
        onChoose={onChoose}
        onManage={() => setManaging(true)}
        onClose={() => setAnchor(null)}
      />
      {isManaging && <CannedRepliesDialog onClose={() => setManaging(false)} />}
    </>
  );
}
