import { useBlocker } from '@tanstack/react-router';
import { createContext, useCallback, useContext, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { confirm } from '#kit/overlays/dialogs/confirm.tsx';
import { noteUnsavedInput } from './unsaved-input.ts';

/** Asks in a dialog whether to discard unsaved input. Resolves to true if it is discarded. */
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

type Place = (address: { pathname: string; search: object }) => string;

/**
 * The part of the address that identifies a form: leaving it asks about unsaved input. It is the
 * path, unless several parts of a page have forms.
 */
export const FormPlace = createContext<Place>(({ pathname }) => pathname);

/**
 * Asks before navigating away from unsaved input. The returned function allows the next navigation:
 * call it before leaving after a successful save.
 */
export function useUnsavedGuard(isUnsaved: boolean): () => void {
  const mayLeave = useLeaveQuestion();
  const placeOf = useContext(FormPlace);
  const isReleased = useRef(false);
  useEffect(() => {
    // A form that stays open after saving is guarded again.
    if (!isUnsaved) isReleased.current = false;
    return isUnsaved ? noteUnsavedInput() : undefined;
  }, [isUnsaved]);
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      if (!isUnsaved || isReleased.current || placeOf(current) === placeOf(next)) return false;
      return !(await mayLeave());
    },
    enableBeforeUnload: () => isUnsaved && !isReleased.current,
  });
  return useCallback(() => {
    isReleased.current = true;
  }, []);
}
