import { Ellipsis, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LazyMenuButton } from '#kit/overlays/lazy-menu-button.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { useHasFewButtons, useIsPhone } from '#platform/browser/use-is-phone.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import type { BulkAction } from './more-actions-menu.tsx';
import { useSelection } from './selection-context.tsx';

/** Number of rows that match the filters; null if unknown. */
interface Matching {
  total: number | null;
  isExact: boolean;
}

interface BulkBarProps {
  label: string;
  /** The rows that match the filters; undefined if only loaded rows can be selected. */
  matching?: Matching;
  /** The primary action, shown first. */
  main: BulkAction;
  actions?: readonly BulkAction[];
  /** Dialogs that an action opens. */
  children?: ReactNode;
}

/**
 * The look of the bar. It is sticky above the table's header, which sticks below it. On a phone it
 * is fixed to the bottom of the window, and the end of the list can be scrolled out from under it.
 * Focused rows are scrolled clear of it too.
 */
const BAR =
  'sticky top-(--header) z-3 min-h-16 py-2 ps-6 pe-4 bg-primary-tint [--covered-top:0px] [--covered-bottom:0px] [main:has(&)]:[--bulk-bar:64px] low:static';
const AT_FOOT =
  'phone:fixed phone:inset-x-0 phone:top-auto phone:bottom-0 phone:z-9 phone:ps-4 phone:pb-4 phone:shadow-bar phone:[main:has(&)]:[--covered-bottom:140px] phone:[main:has(&)]:pb-[140px]';

/** The look of the buttons, whose icons are hidden in a window without room for them. */
const BUTTONS =
  '[&>[data-variant=outlined]]:border-transparent [&>[data-variant=outlined]]:bg-[rgba(255,255,255,0.72)] [&>[data-variant=outlined]:hover]:bg-paper max-[1400px]:[&>:not([aria-haspopup])>svg]:hidden';
/** The look of the main button, which takes the remaining width on a phone. */
const MAIN_BUTTON =
  'phone:[&>[data-variant=solid]]:flex-1 phone:[&>[data-variant=solid]]:min-w-0 phone:[&>[data-variant=solid]]:px-2 phone:[&>[data-variant=solid]]:leading-4.5 phone:[&>[data-variant=solid]]:whitespace-normal';
const OTHER_BUTTONS =
  'phone:[&>[data-variant=outlined]]:flex-none phone:[&>[data-variant=outlined]]:min-w-11 phone:[&>[aria-haspopup]]:w-[46px] phone:[&>[aria-haspopup]]:p-0 phone:[&>[aria-haspopup]>svg]:m-0';

/**
 * The look of a link in the bar. The bar does not scroll: the link is cut before the number of
 * selected rows is, and leaves room for the last button.
 */
const LINK =
  'min-h-6 text-primary-dark font-semibold hover:underline phone:shrink-100 phone:min-w-11 phone:min-h-11 phone:truncate';

/**
 * The bar with actions on the selected rows. It replaces the toolbar; on a phone it is fixed to the
 * bottom of the window.
 */
export function BulkBar({ label, matching, main, actions = [], children }: BulkBarProps) {
  const isPhone = useIsPhone();
  const mainButton = (
    <Button
      variant="solid"
      pending={main.isPending}
      icon={isPhone ? undefined : main.icon}
      onClick={main.act}
    >
      {main.label}
    </Button>
  );
  return (
    <section
      className={`flex items-center justify-between gap-4 phone:block ${BAR} ${AT_FOOT}`}
      aria-label={label}
      data-foot-bar
    >
      <SelectedText matching={matching} />
      <div className={`flex items-center gap-2 ${BUTTONS} ${MAIN_BUTTON} ${OTHER_BUTTONS}`}>
        {mainButton}
        <OtherActions actions={actions} />
      </div>
      {children}
    </section>
  );
}

function ActionButton({ label, icon, isDanger, act }: BulkAction) {
  return (
    <Button tone={isDanger ? 'danger' : 'primary'} icon={icon} onClick={act}>
      {label}
    </Button>
  );
}

/** Further actions as buttons with text, deleting last; in a narrow window one button, and a menu of the others. */
function OtherActions({ actions }: { actions: readonly BulkAction[] }) {
  const hasRoom = !useHasFewButtons();
  const [next] = actions;
  const isShown = (action: BulkAction) => (hasRoom ? !action.isInMenu : action === next);
  const inMenu = actions.filter((action) => !isShown(action));
  const inBar = actions.filter(isShown);
  return (
    <>
      {inBar.map((action) => !action.isDanger && <ActionButton key={action.name} {...action} />)}
      {inMenu.length > 0 && <MoreActions actions={inMenu} />}
      {inBar.map((action) => action.isDanger && <ActionButton key={action.name} {...action} />)}
    </>
  );
}

function SelectedText({ matching }: { matching: Matching | undefined }) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const { selection, selectAllMatching, clear } = useSelection();
  const { isAll, ids } = selection;
  const { total, isExact } = matching ?? { total: null, isExact: true };
  const isMore = !isAll && total !== null && (total > ids.size || !isExact);
  const allText = isExact ? t('list.selectAll', { count: total ?? 0 }) : t('list.selectAllMany');
  return (
    <div className="flex items-center gap-x-2 gap-y-1 whitespace-nowrap above-phone:flex-wrap phone:gap-1.5 phone:min-h-11 phone:[&>:last-child]:ms-auto">
      <b role="status" className="phone:min-w-0 phone:truncate">
        {isAll && (total === null || !isExact)
          ? t('list.allMatching')
          : t('list.selected', { count: isAll ? (total ?? 0) : ids.size })}
      </b>
      {isMore && (
        <>
          <span aria-hidden="true">·</span>
          <button type="button" className={LINK} aria-label={allText} onClick={selectAllMatching}>
            {isPhone && isExact ? t('list.selectAllShort', { count: total }) : allText}
          </button>
        </>
      )}
      {isPhone ? (
        <IconButton label={t('list.clear')} onClick={clear}>
          <X size={20} />
        </IconButton>
      ) : (
        <>
          <span aria-hidden="true">·</span>
          <button type="button" className={LINK} onClick={clear}>
            {t('list.clear')}
          </button>
        </>
      )}
    </div>
  );
}

const MoreActionsMenu = lazyPart(() => import('./more-actions-menu.tsx'), 'MoreActionsMenu');

/** Menu of the actions that do not fit into the bar. */
function MoreActions({ actions }: { actions: readonly BulkAction[] }) {
  const { t } = useTranslation();
  return (
    <LazyMenuButton
      fetch={MoreActionsMenu.fetch}
      button={(opener) => (
        <Button {...opener} aria-label={t('list.moreActions')} icon={<Ellipsis />} />
      )}
      menu={(opened) => <MoreActionsMenu {...opened} actions={actions} />}
    />
  );
}
