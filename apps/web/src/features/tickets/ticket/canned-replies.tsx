import Divider from '@mui/material/Divider';
import MenuItem from '@mui/material/MenuItem';
import { useQuery } from '@tanstack/react-query';
import { MessageSquareText } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { lazyComponent } from '../../../shared/ui/lazy-component.tsx';
import { Menu } from '../../../shared/ui/overlays/overlays.tsx';
import { TypedText } from '../../../shared/ui/typed-text.tsx';
import { cannedRepliesQuery } from '../queries.ts';

const CannedRepliesDialog = lazyComponent(
  async () => (await import('./canned-replies-dialog.tsx')).CannedRepliesDialog,
);

/** Puts a text that is kept for it into the reply; keeps further ones. */
export function CannedReplies({ onChoose }: { onChoose: (text: string) => void }) {
  const { t } = useTranslation('tickets');
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isManaging, setManaging] = useState(false);
  const { data: replies = [] } = useQuery({ ...cannedRepliesQuery(), enabled: anchor !== null });
  const choose = (act: () => void) => () => {
    setAnchor(null);
    act();
  };
  return (
    <>
      <Button
        icon={<MessageSquareText aria-hidden="true" />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        {t('canned.open')}
      </Button>
      <Menu
        open={anchor !== null}
        anchorEl={anchor}
        // The field takes the focus that the menu would give back to its button.
        disableRestoreFocus
        onClose={() => setAnchor(null)}
      >
        {replies.length === 0 && <MenuItem disabled>{t('canned.none')}</MenuItem>}
        {replies.map(({ id, title, content }) => (
          <MenuItem key={id} onClick={choose(() => onChoose(content))}>
            <TypedText>{title}</TypedText>
          </MenuItem>
        ))}
        <Divider />
        <MenuItem onClick={choose(() => setManaging(true))}>{t('canned.manage')}</MenuItem>
      </Menu>
      {isManaging && <CannedRepliesDialog onClose={() => setManaging(false)} />}
    </>
  );
}
