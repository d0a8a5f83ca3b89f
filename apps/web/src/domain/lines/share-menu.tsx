import type { ReminderWay } from '@linekeeper/contract/lines/reminders.ts';
import { useTranslation } from 'react-i18next';
import { Menu, MenuItem, OutsideMenuLink } from '#kit/overlays/menu.tsx';
import { useCopyText } from '#kit/ui/buttons/use-copy-text.tsx';
import { results } from '#platform/state/results.ts';
import { addressOf, messengers } from './messengers.ts';

const services = [
  ['WhatsApp', (text: string) => `https://wa.me/?text=${text}`],
  ['Telegram', (text: string) => `https://t.me/share/url?url=%20&text=${text}`],
] as const;

interface ShareMenuProps {
  text: string;
  /** The customer's phone number, to which messengers then write. */
  phone?: string | null;
  anchor: HTMLElement;
  /** Called with the way that was chosen. */
  onShared?: (way: ReminderWay) => void;
  onClose: () => void;
}

/** The menu of common programs to share a text with a customer, such as email. */
export function ShareMenu({ text, phone, anchor, onShared, onClose }: ShareMenuProps) {
  const { t } = useTranslation();
  const copyText = useCopyText();
  const shared = (way: string) => {
    onClose();
    onShared?.(way.toLowerCase() as ReminderWay);
  };
  const copy = async () => {
    onClose();
    if (!(await copyText(() => text))) return;
    results.success(t('copy.done'));
    onShared?.('share');
  };
  const encoded = encodeURIComponent(text);
  const outside = { target: '_blank', rel: 'noreferrer' } as const;
  const links = phone
    ? messengers.map((name) => [name, addressOf(name, phone, text)] as const)
    : services.map(([name, linkOf]) => [name, linkOf(encoded)] as const);
  return (
    <Menu anchor={anchor} onClose={onClose}>
      {links.map(([name, href]) => (
        <OutsideMenuLink key={name} {...outside} href={href} onClick={() => shared(name)}>
          {name}
        </OutsideMenuLink>
      ))}
      <OutsideMenuLink
        {...outside}
        href={`mailto:?body=${encoded}`}
        onClick={() => shared('share')}
      >
        {t('field.email')}
      </OutsideMenuLink>
      <MenuItem onClick={copy}>{t('share.copy')}</MenuItem>
    </Menu>
  );
}
