import { useEffect, useEffectEvent, useRef } from 'react';

interface HiddenFields {
  /** True if one of the fields has an error. */
  isWrong: boolean;
  /** The number of attempts to submit the form. */
  submitCount: number;
  show: () => void;
}

/**
 * Shows hidden fields when the form finds an error in them. After an attempt to submit, the first invalid one gets the
 * focus, which the form could not give to a hidden field. Returns the ref of the element around the fields.
 */
export function useShownWhenWrong<Place extends HTMLElement>(fields: HiddenFields) {
  const { isWrong, submitCount } = fields;
  const place = useRef<Place>(null);
  const seen = useRef(0);
  const isDue = useRef(false);
  const show = useEffectEvent(fields.show);
  useEffect(() => {
    if (!isWrong) return;
    isDue.current = submitCount !== seen.current;
    seen.current = submitCount;
    show();
  }, [isWrong, submitCount]);
  useEffect(() => {
    const wrong = place.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!isDue.current || !wrong?.checkVisibility()) return;
    isDue.current = false;
    if (document.activeElement?.getAttribute('aria-invalid') !== 'true') wrong.focus();
  });
  return place;
}
