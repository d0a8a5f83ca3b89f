import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { Popover as BasePopover } from '@base-ui/react/popover';
import { type CSSProperties, type ReactNode, useRef } from 'react';
import styles from './overlays.module.css';
import { useLastAnchor, useOverlay } from './use-overlay.ts';

interface OverlayProps {
  id?: string;
  /** Closes the overlay; undefined while it must stay open. */
  onClose: (() => void) | undefined;
  'aria-label'?: string;
  'aria-labelledby'?: string;
  'aria-describedby'?: string | undefined;
  /** True if the page moves the focus itself after closing. */
  disableRestoreFocus?: boolean;
  className?: string | undefined;
  style?: CSSProperties;
  children: ReactNode;
}

interface ModalProps extends OverlayProps {
  open: boolean;
  /** Called once the overlay has faded out. */
  onClosed?: () => void;
  viewportClassName?: string | undefined;
}

function Modal(props: ModalProps) {
  const { open, onClose, onClosed, disableRestoreFocus, viewportClassName, ...popup } = props;
  const ref = useRef<HTMLDivElement>(null);
  return (
    <BaseDialog.Root
      open={open}
      onOpenChange={useOverlay({ isOpen: open, isModal: true, onClose, disableRestoreFocus })}
      onOpenChangeComplete={(isOpen) => {
        if (!isOpen) onClosed?.();
      }}
    >
      <BaseDialog.Portal className={styles.layer} data-overlay="modal">
        <BaseDialog.Backdrop forceRender className={styles.backdrop} />
        <BaseDialog.Viewport className={viewportClassName}>
          <BaseDialog.Popup
            {...popup}
            ref={ref}
            aria-modal={true}
            initialFocus={ref}
            finalFocus={false}
          />
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

/** A dialog in the middle of the window; on a phone a sheet from the bottom. */
export function Dialog({ className = '', viewportClassName = '', ...rest }: ModalProps) {
  return (
    <Modal
      {...rest}
      className={`${styles.dialog} ${className}`}
      viewportClassName={`${styles.centre} ${viewportClassName}`}
    />
  );
}

interface DrawerProps extends Omit<ModalProps, 'viewportClassName'> {
  /** The edge of the window from which the drawer slides in. */
  side?: 'left' | 'right' | 'bottom';
}

/** A panel that slides in from an edge of the window. */
export function Drawer({ side = 'left', className = '', ...rest }: DrawerProps) {
  return <Modal {...rest} className={`${styles.drawer} ${styles[side]} ${className}`} />;
}

/**
 * The side of an element at which its overlay opens. The overlay is shifted so that all of it is in the window, and
 * never flipped to the other side.
 */
export interface Place {
  side?: 'top' | 'bottom';
  /** The edge at which overlay and anchor are aligned. */
  align?: 'start' | 'center' | 'end';
  /** Pixels between overlay and anchor. */
  gap?: number;
}

/** The class of elements above the page. */
export const layerClass = styles.layer;

/** The options of the overlay library for a `Place`. */
export function positionOf({ side = 'bottom', align = 'start', gap = 0 }: Place) {
  return {
    side,
    align,
    sideOffset: gap,
    positionMethod: 'fixed',
    collisionPadding: 16,
    collisionAvoidance: { side: 'shift', align: 'shift', fallbackAxisSide: 'none' },
  } as const;
}

interface PopoverProps extends OverlayProps, Place {
  /** The element at which the popover hangs, while it is open. */
  anchor: HTMLElement | null;
}

/** A small dialog at the element that opened it. */
export function Popover(props: PopoverProps) {
  const { anchor, side, align, gap, onClose, disableRestoreFocus, ...popup } = props;
  const { className = '', children, ...rest } = popup;
  const ref = useRef<HTMLDivElement>(null);
  const isOpen = anchor !== null;
  return (
    <BasePopover.Root
      open={isOpen}
      modal
      onOpenChange={useOverlay({ isOpen, isModal: true, onClose, disableRestoreFocus })}
    >
      <BasePopover.Portal className={styles.layer}>
        <BasePopover.Positioner
          anchor={useLastAnchor(anchor)}
          {...positionOf({ side, align, gap })}
        >
          <BasePopover.Popup
            {...rest}
            ref={ref}
            className={`${styles.popover} ${className}`}
            initialFocus={ref}
            finalFocus={false}
          >
            {children}
            {/* The library keeps the focus inside only if there is a closing button. */}
            <BasePopover.Close hidden />
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  );
}
