import { useBlocker } from '@tanstack/react-router';
import { useCallback, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { confirm } from '../ui/confirm.tsx';

/**
 * Asks before unsaved input is left. The returned function lets the next navigation pass: call it
 * before leaving after a successful save.
 */
export function useUnsavedGuard(dirty: boolean): () => void {
  const { t } = useTranslation();
  const isReleased = useRef(false);
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      if (!dirty || isReleased.current || current.pathname === next.pathname) return false;
      const leaves = await confirm({
        title: t('unsaved.title'),
        text: t('unsaved.text'),
        confirmLabel: t('unsaved.leave'),
        cancelLabel: t('unsaved.stay'),
        tone: 'danger',
      });
      return !leaves;
    },
    enableBeforeUnload: () => dirty && !isReleased.current,
  });
  return useCallback(() => {
    isReleased.current = true;
  }, []);
}
