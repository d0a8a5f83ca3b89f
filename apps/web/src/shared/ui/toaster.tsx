import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Toaster as SonnerToaster, toast as sonner } from 'sonner';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import { connectToastHost, type Toast } from './toast.ts';
import styles from './toaster.module.css';

const SHOWN_MS = 5000;
/** Long enough to read, and to take it back. */
const SHOWN_WITH_ACTION_MS = 8000;
const AT_ONCE = 3;
const icons = {
  success: CircleCheck,
  info: Info,
  warning: TriangleAlert,
  error: CircleAlert,
};

function ToastCard({ toast, onDismiss }: { toast: Toast; onDismiss: () => void }) {
  const { t } = useTranslation();
  const { tone, text, detail, action } = toast;
  const Icon = icons[tone];
  const act = () => {
    action?.onClick();
    onDismiss();
  };
  return (
    <div className={styles.toast} data-tone={tone} data-detailed={detail ? true : undefined}>
      <Icon size={20} aria-hidden="true" />
      <div className={styles.text}>
        {text}
        {detail && <p className={styles.detail}>{detail}</p>}
      </div>
      {action && (
        <Button size="small" variant="text" onClick={act}>
          {action.label}
        </Button>
      )}
      <IconButton size="small" label={t('action.dismiss')} onClick={onDismiss}>
        <X size={18} />
      </IconButton>
    </div>
  );
}

function shownFor({ tone, stays, action }: Toast): number {
  if (stays || tone === 'error') return Number.POSITIVE_INFINITY;
  return action ? SHOWN_WITH_ACTION_MS : SHOWN_MS;
}

function show(toast: Toast): void {
  sonner.custom((id) => <ToastCard toast={toast} onDismiss={() => sonner.dismiss(id)} />, {
    // What went wrong is not taken away before it has been read.
    duration: shownFor(toast),
    unstyled: true,
  });
}

export function Toaster() {
  useEffect(() => connectToastHost(show), []);
  return (
    <SonnerToaster
      position="bottom-right"
      visibleToasts={AT_ONCE}
      expand
      gap={12}
      offset={24}
      mobileOffset={8}
    />
  );
}
