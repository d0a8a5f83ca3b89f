import type { ReactNode } from 'react';

interface StatePanelProps {
  icon: ReactNode;
  title: string;
  role?: 'alert';
  tone?: 'error';
  children: ReactNode;
}

/** The message instead of content that is empty or missing: a picture, a heading, a text and actions. */
export function StatePanel({ icon, title, role, tone, children }: StatePanelProps) {
  return (
    <div
      className="flex flex-col items-center justify-center min-h-83 py-12 px-6 text-center [&_p]:max-w-[min(360px,100%)] [&_p]:wrap-anywhere [&_p]:text-text-2 [&>p]:mb-6 [&>details]:mt-4 [&>details]:text-text-2 phone:py-10 phone:px-4 phone:[&>:is(button,a)]:min-w-40"
      role={role}
    >
      <span
        className="text-icon-quiet [&_svg]:w-16 [&_svg]:h-16 [&_svg]:[stroke-width:1.1] data-[tone=error]:text-danger"
        data-tone={tone}
        aria-hidden="true"
      >
        {icon}
      </span>
      <h2 className="mt-4 mx-0 mb-1 [&:has(+:not(p))]:mb-6">{title}</h2>
      {children}
    </div>
  );
}

export interface EmptyPanelProps {
  icon: ReactNode;
  title: string;
  text?: ReactNode;
  action?: ReactNode;
}

/** The message instead of an empty list or of a search without matches. Errors have `FailedPanel`. */
export function EmptyPanel({ icon, title, text, action }: EmptyPanelProps) {
  return (
    <StatePanel icon={icon} title={title}>
      {text && <p>{text}</p>}
      {action}
    </StatePanel>
  );
}
