import type { Line } from '@linekeeper/contract/lines/lines.ts';
import {
  listReminders,
  markReminded,
  type ReminderWay,
} from '@linekeeper/contract/lines/reminders.ts';
import { useQuery } from '@tanstack/react-query';
import { Check, Send } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useGetText } from '#domain/lines/credentials.tsx';
import { useLinePassword } from '#domain/lines/hand-over/use-line-password.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { useCan } from '#platform/data/session.ts';
import { formatSince } from '#platform/format/format-moment.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { results } from '#platform/state/results.ts';

const ShareMenu = lazyPart(() => import('#domain/lines/share-menu.tsx'), 'ShareMenu');

/** The last reminder about the present expiry of a line; undefined if there is none. */
export function useReminder(lineId: string) {
  const { data } = useQuery(
    callQuery('lines', listReminders, { enabled: useCan(listReminders.access) }),
  );
  return data?.items.find(({ line_id }) => line_id === lineId);
}

/** The mark that the customer of a line was reminded. */
export function Reminded({ at }: { at: string }) {
  const { t, i18n } = useTranslation('dashboard');
  return (
    <span className="inline-flex items-center gap-1 text-success-fg type-caption font-semibold">
      <Check size={14} />
      {t('remind.done', { when: formatSince(Date.parse(at), i18n.language) })}
    </span>
  );
}

interface RemindButtonProps {
  line: Line;
  /** True if the customer was reminded before. */
  isAgain?: boolean;
  /** True to show the icon without a text. */
  isSmall?: boolean;
}

/**
 * Opens the customer's messenger, or without a phone number the ways to share, with the reminder as text, and notes that
 * the customer was reminded.
 */
export function RemindButton({ line, isAgain = false, isSmall = false }: RemindButtonProps) {
  const { t } = useTranslation('dashboard');
  const errorText = useErrorText();
  const isPhone = useIsPhone();
  const getText = useGetText();
  const { getPassword } = useLinePassword(line);
  const [menu, setMenu] = useState<{ anchor: HTMLElement; text: string }>();
  const mark = useCommand(markReminded, { params: { id: line.id }, refreshes: ['lines'] });
  const noted = (way: ReminderWay) => void mark.send({ way });
  const begin = async (anchor: HTMLElement) => {
    try {
      const text = await getText(line, 'reminder', getPassword);
      if (line.phone || !('share' in navigator)) return setMenu({ anchor, text });
      await navigator.share({ text });
      noted('share');
    } catch (error) {
      // The person closed the browser's own dialog.
      if (error instanceof DOMException && error.name === 'AbortError') return;
      results.error(errorText(error));
    }
  };
  const label = t('actionOf', { action: t('remind.action'), name: line.name || line.username });
  const pressed = {
    'aria-haspopup': 'menu',
    onClick: ({ currentTarget }: { currentTarget: HTMLElement }) => void begin(currentTarget),
  } as const;
  return (
    <>
      {isPhone || isSmall ? (
        <IconButton size="small" label={label} {...pressed}>
          <Send size={18} />
        </IconButton>
      ) : (
        <Button icon={<Send />} aria-label={label} {...pressed}>
          {t(isAgain ? 'remind.again' : 'remind.action')}
        </Button>
      )}
      {menu && (
        <ShareMenu
          {...menu}
          phone={line.phone}
          onShared={noted}
          onClose={() => setMenu(undefined)}
        />
      )}
    </>
  );
}
