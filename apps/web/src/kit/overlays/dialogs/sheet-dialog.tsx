import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '#kit/overlays/late-overlays.ts';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';

interface SheetDialogProps {
  title: string;
  /** True prevents closing, while a request is running. */
  isBusy?: boolean;
  onClose: () => void;
  children: ReactNode;
  /** Content that stays visible below the scrolling content. */
  footer?: ReactNode;
}

/** A dialog with more content than a question; on a phone a bottom sheet. */
export function SheetDialog({
  title,
  isBusy = false,
  onClose,
  children,
  footer,
}: SheetDialogProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <Dialog
      open
      onClose={isBusy ? undefined : onClose}
      aria-labelledby={id}
      className="flex flex-col w-160 max-w-full max-h-[calc(100dvh-64px)] p-6 overflow-x-hidden overflow-y-auto phone:max-h-[94dvh] phone:pt-4 phone:px-4"
    >
      <div className="flex flex-none items-center justify-between gap-2 min-h-8 [&_h2]:tracking-[-0.005em] [&_button]:-my-1 [&_button]:-me-2">
        <h2 id={id}>{title}</h2>
        <IconButton label={t('action.close')} disabled={isBusy} onClick={onClose}>
          <X size={20} />
        </IconButton>
      </div>
      {/* The padding leaves room for the focus ring. */}
      <div className="flex flex-auto flex-col gap-4 min-h-0 mt-3 -mx-2 py-1 px-2 overflow-x-hidden overflow-y-auto">
        {children}
      </div>
      {footer && (
        <div className="flex flex-none flex-wrap items-center justify-end gap-2 mt-5 [&>p]:flex-1 [&>p]:text-text-2 [&>p]:type-caption phone:[&>p]:basis-full phone:[&>[data-variant=solid]]:flex-1 phone:[&>[data-variant=solid]]:-order-1 phone:[&>p:first-child]:-order-2">
          {footer}
        </div>
      )}
    </Dialog>
  );
}

/** The part of a dialog that scrolls, between fixed content above and below. */
export function ScrollArea({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section
      className="flex-auto min-h-24 overflow-x-hidden overflow-y-auto overscroll-contain border border-divider rounded-[12px]"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable with the keyboard
      tabIndex={0}
    >
      {children}
    </section>
  );
}
