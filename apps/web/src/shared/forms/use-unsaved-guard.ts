import { useBlocker } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { confirm } from '../ui/dialogs/confirm.tsx';
import { noteUnsavedInput } from './unsaved-input.ts';

/** Asks whether to discard unsaved input; resolves to true if so. */
export function useLeaveQuestion(): () => Promise<boolean> {
  const { t } = useTranslation();
  return () =>
    confirm({
      title: t('unsaved.title'),
      text: t('unsaved.text'),
      confirmLabel: t('unsaved.leave'),
      cancelLabel: t('unsaved.stay'),
      tone: 'danger',
    });
}

/**
 * Asks before navigating away from unsaved input. The returned function allows the next navigation:
 * call it before leaving after a successful save.
 */
export function useUnsavedGuard(isUnsaved: boolean): () => void {
  const mayLeave = useLeaveQuestion();
  const isReleased = useRef(false);
  useEffect(() => {
    // A form that stays open after saving is guarded again.
    if (!isUnsaved) isReleased.current = false;
    return isUnsaved ? noteUnsavedInput() : undefined;
  }, [isUnsaved]);
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      if (!isUnsaved || isReleased.current || current.pathname === next.pathname) return false;
      return !(await mayLeave());
    },
    enableBeforeUnload: () => isUnsaved && !isReleased.current,
  });
  return useCallback(() => {
    isReleased.current = true;
  }, []);
}
