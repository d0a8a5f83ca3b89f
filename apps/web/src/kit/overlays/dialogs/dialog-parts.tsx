import { type CSSProperties, type HTMLAttributes, type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '#kit/overlays/late-overlays.ts';
import { Button } from '#kit/ui/buttons/button.tsx';

interface DialogContentProps {
  /** Width in pixels; 600 for content in columns. */
  width?: 440 | 480 | 600;
  children: ReactNode;
}

export function DialogContent({ width = 480, children }: DialogContentProps) {
  return (
    <div
      className="w-(--width) max-w-full p-6 phone:w-auto phone:pt-4 phone:px-4"
      style={{ '--width': `${width}px` } as CSSProperties}
    >
      {children}
    </div>
  );
}

export function DialogText(props: HTMLAttributes<HTMLElement>) {
  return <p {...props} className="mt-2 text-text-2" />;
}

/** The place in a dialog for the error of its command. */
export function DialogRefusal({ children }: { children: ReactNode }) {
  return <div className="mt-4">{children}</div>;
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="flex justify-end gap-2 mt-6 phone:flex-col-reverse">{children}</div>;
}

/** The short bar at the top of a sheet on a phone. The bar is decoration only. */
export function SheetHandle() {
  return (
    <span
      className="hidden phone:block w-10 h-1 mx-auto mb-4 rounded-[4px] bg-divider-strong"
      aria-hidden="true"
    />
  );
}

interface InfoDialogProps {
  title: ReactNode;
  /** Buttons beside the closing one. */
  actions?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog that only shows information. */
export function InfoDialog(props: InfoDialogProps) {
  const { title, actions, onClose, children } = props;
  const { t } = useTranslation();
  const id = useId();
  return (
    <Dialog open onClose={onClose} aria-labelledby={id}>
      <DialogContent>
        <h2 id={id}>{title}</h2>
        {children}
        <DialogActions>
          <Button onClick={onClose}>{t('action.close')}</Button>
          {actions}
        </DialogActions>
      </DialogContent>
    </Dialog>
  );
}
