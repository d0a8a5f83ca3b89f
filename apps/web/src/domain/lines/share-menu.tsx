import { useTranslation } from 'react-i18next';
import { Menu, MenuItem, OutsideMenuLink } from '#kit/overlays/menu.tsx';
import { useCopyText } from '#kit/ui/buttons/use-copy-text.tsx';
import { results } from '#platform/state/results.ts';

const services = [
  ['WhatsApp', (text: string) => `https://wa.me/?text=${text}`],
  ['Telegram', (text: string) => `https://t.me/share/url?url=%20&text=${text}`],
] as const;

interface ShareMenuProps {
  text: string;
  anchor: HTMLElement;
  onClose: () => void;
}

/** The menu of common programs to share a text with a customer, such as email. */
export function ShareMenu({ text, anchor, onClose }: ShareMenuProps) {
  const { t } = useTranslation();
  const copyText = useCopyText();
  const copy = async () => {
    onClose();
    if (await copyText(() => text)) results.success(t('copy.done'));
  };
  const encoded = encodeURIComponent(text);
  const outside = {
    target: '_blank',
    rel: 'noreferrer',
    onClick: onClose,
  } as const;
  return (
    <Menu anchor={anchor} onClose={onClose}>
      {services.map(([name, addressOf]) => (
        <OutsideMenuLink key={name} {...outside} href={addressOf(encoded)}>
          {name}
        </OutsideMenuLink>
      ))}
      <OutsideMenuLink {...outside} href={`mailto:?body=${encoded}`}>
        {t('field.email')}
      </OutsideMenuLink>
      <MenuItem onClick={copy}>{t('share.copy')}</MenuItem>
    </Menu>
  );
}
