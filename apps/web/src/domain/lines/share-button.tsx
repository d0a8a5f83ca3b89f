import { Share2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, type ButtonLook } from '#kit/ui/buttons/button.tsx';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { results } from '#platform/state/results.ts';

interface ShareButtonProps extends Pick<ButtonLook, 'variant' | 'size'> {
  /** Returns the text, which may have to be fetched, for example if it has a password. */
  getText: () => string | Promise<string>;
  label?: string;
  /** Called once the text was shared, or the menu to share it was opened. */
  onShared?: () => void;
}

/**
 * Shares the text. Returns false if the person closed the browser's own dialog, because they have changed their mind.
 */
async function share(text: string): Promise<boolean> {
  try {
    await navigator.share({ text });
    return true;
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
    return false;
  }
}

const ShareMenu = lazyPart(() => import('./share-menu.tsx'), 'ShareMenu');

/**
 * The button that shares a text with a customer, by the browser's own dialog or, without one, by a
 * menu of common programs.
 */
export function ShareButton({ getText, label, onShared, ...look }: ShareButtonProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [menu, setMenu] = useState<{ anchor: HTMLElement; text: string }>();
  const begin = async (anchor: HTMLElement) => {
    try {
      const text = await getText();
      if (!('share' in navigator)) setMenu({ anchor, text });
      else if (!(await share(text))) return;
      onShared?.();
    } catch (error) {
      results.error(errorText(error));
    }
  };
  return (
    <>
      <Button
        {...look}
        icon={<Share2 />}
        aria-label={label}
        onClick={({ currentTarget }) => void begin(currentTarget)}
      >
        {t('share.share')}
      </Button>
      {menu && <ShareMenu {...menu} onClose={() => setMenu(undefined)} />}
    </>
  );
}
