import { type MouseEvent, type ReactNode, useId } from 'react';

/**
 * Props for a button that cannot be pressed now, and a hidden element with the reason. Uses
 * aria-disabled instead of `disabled` so that the button stays focusable and screen readers can
 * announce the reason.
 */
export function useDisabledReason(why: string | undefined): { props: object; reason: ReactNode } {
  const id = useId();
  if (!why) return { props: {}, reason: null };
  return {
    props: {
      'aria-disabled': true,
      'aria-describedby': id,
      'data-blocked': true,
      title: why,
      // A submit button would otherwise submit its form.
      onClick: (event: MouseEvent) => event.preventDefault(),
    },
    // The element is hidden, so that it describes the button without becoming part of its name.
    reason: (
      <span id={id} hidden>
        {why}
      </span>
    ),
  };
}
