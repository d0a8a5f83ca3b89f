import type { LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { BackLink } from '#kit/ui/back-link.tsx';
import { screens } from '#screens/screens.ts';
import { useDocumentTitle, useScreen, useScreenTitle } from './use-screen.ts';

export interface PageHeaderProps {
  /** Replaces the screen's title, for pages about one record. */
  title?: string;
  /** Replaces the link to the parent screen; null for no link. */
  back?: { to: LinkProps['to']; params?: { id: string }; label: string } | null;
  /** The number of a record, behind the title in a quieter colour. */
  number?: string;
  /** Content before the title, for example an avatar. */
  lead?: ReactNode;
  /** Content behind the title, for example badges. */
  badges?: ReactNode;
  /** A line below the title. */
  text?: ReactNode;
  actions?: ReactNode;
}

/** The look of the header. Badges may be below the title, so that a single icon needs no row. */
const HEADER =
  'flex items-center justify-between gap-4 min-h-10 mb-6 phone:flex-wrap phone:relative phone:min-h-11 phone:mb-4 phone:[&:has([data-named]>:nth-child(2)):has(>[data-actions]>[aria-label]:only-child)]:flex-nowrap';
/**
 * The look of the actions on a phone: at the end of the title's row, or, if there are several, at
 * the start of a separate row.
 */
const ON_PHONE =
  'phone:flex-auto phone:max-w-none phone:[&:has(>:nth-child(2_of_:not(.only-wide)))]:justify-start phone:[&:has(>:nth-child(2_of_:not(.only-wide)))]:grow-0 phone:[:has([data-named]>:nth-child(2))>&:has(>[aria-label]:only-child)]:flex-none';
const ACTIONS = `flex flex-wrap flex-none items-center justify-end gap-2 max-w-[60%] ${ON_PHONE}`;

/** The only h1 of the screen; also sets the window title. */
export function PageHeader(props: PageHeaderProps) {
  const { title: ownTitle, back: ownBack, number, lead, badges, text, actions } = props;
  const screen = useScreen();
  const titleOf = useScreenTitle();
  const title = useDocumentTitle(ownTitle);
  const { parent } = screen;
  const back =
    ownBack === undefined && parent
      ? { to: screens[parent].path, label: titleOf(parent) }
      : ownBack;
  return (
    <div className={HEADER}>
      <div className="min-w-0">
        {back && (
          // On a phone, the header of the shell has the link back.
          <span className="only-wide">
            <BackLink to={back.to as '/accounts/$id'} params={back.params ?? { id: '' }}>
              {back.label}
            </BackLink>
          </span>
        )}
        {lead || badges || text ? (
          <div className="flex items-center gap-4 phone:gap-3 min-w-0 [&_p]:overflow-hidden [&_p]:text-text-2 [&_p]:text-ellipsis">
            {lead}
            <div className="min-w-0">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1" data-named>
                <h1>{title}</h1>
                {badges}
              </div>
              {text && <p>{text}</p>}
            </div>
          </div>
        ) : (
          <h1>
            {title}
            {number && <span className="text-text-2 font-normal"> {number}</span>}
          </h1>
        )}
      </div>
      {actions && (
        <div className={ACTIONS} data-actions>
          {actions}
        </div>
      )}
    </div>
  );
}
