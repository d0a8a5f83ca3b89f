import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { cannedRepliesQuery } from '#features/tickets/queries.ts';
import { Menu, MenuDivider, MenuItem } from '#kit/overlays/menu.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';

interface CannedRepliesMenuProps {
  anchor: HTMLElement | null;
  onChoose: (text: string) => void;
  onManage: () => void;
  onClose: () => void;
}

export function CannedRepliesMenu({ anchor, onChoose, onManage, onClose }: CannedRepliesMenuProps) {
  const { t } = useTranslation('tickets');
  const { data: replies = [] } = useQuery({ ...cannedRepliesQuery(), enabled: anchor !== null });
  const choose = (act: () => void) => () => {
    onClose();
    act();
  };
  return (
    <Menu
      anchor={anchor}
      // The field takes the focus, which the menu would otherwise return to its button.
      disableRestoreFocus
      onClose={onClose}
    >
      {replies.length === 0 && <MenuItem disabled>{t('canned.none')}</MenuItem>}
      {replies.map(({ id, title, content }) => (
        <MenuItem key={id} onClick={choose(() => onChoose(content))}>
          <TypedText>{title}</TypedText>
        </MenuItem>
      ))}
      <MenuDivider />
      <MenuItem onClick={choose(onManage)}>{t('canned.manage')}</MenuItem>
    </Menu>
  );
}
