import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import { type CSSProperties, useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Toaster as SonnerToaster, toast as sonner } from 'sonner';
import { useIsBesideNavigation, useIsPhone } from '../../browser/use-is-phone.ts';
import { connectToastHost, type Toast } from '../../state/toast.ts';
import { Button } from '../buttons/button.tsx';
import { IconButton } from '../buttons/icon-button.tsx';
import { useDockedHeight } from '../use-docked-height.ts';
import { Muted, Text } from '../vocabulary.tsx';
import styles from './toaster.module.css';

const SHOWN_MS = 5000;
/** Leaves time to read the text and to press Undo. */
const SHOWN_WITH_ACTION_MS = 8000;
const AT_ONCE = 3;
/** More would cover a phone. */
const AT_ONCE_ON_PHONE = 1;
const GAP = 12;
const icons = {
  success: CircleCheck,
  info: Info,
  warning: TriangleAlert,
  error: CircleAlert,
};

/** On a phone nothing holds a toast: what was tapped last seems to be hovered for as long. */
function useLeavesPhone(toast: Toast, onDismiss: () => void): void {
  const isPhone = useIsPhone();
  const dismiss = useEffectEvent(onDismiss);
  useEffect(() => {
    const ms = shownFor(toast);
    if (!isPhone || ms === Number.POSITIVE_INFINITY) return;
    const timer = setTimeout(() => document.hidden || dismiss(), ms);
    return () => clearTimeout(timer);
  }, [toast, isPhone]);
}

function ToastCard({ toast, onDismiss }: { toast: Toast; onDismiss: () => void }) {
  const { t } = useTranslation();
  const { tone, text, detail, action } = toast;
  const Icon = icons[tone];
  const card = useRef<HTMLDivElement>(null);
  useDockedHeight(card, '--docked-toasts', GAP);
  useLeavesPhone(toast, onDismiss);
  const act = () => {
    action?.onClick();
    onDismiss();
  };
  return (
    <div
      ref={card}
      className={`row floating ${styles.toast}`}
      data-tone={tone}
      data-detailed={detail ? true : undefined}
    >
      <Icon size={20} />
      <Text as="div" grow wraps className={styles.text}>
        {text}
        {detail && <Muted as="p">{detail}</Muted>}
      </Text>
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

const idsByTopic = new Map<string, (string | number)[]>();

function show(toast: Toast): void {
  const id = sonner.custom(
    (id) => <ToastCard toast={toast} onDismiss={() => sonner.dismiss(id)} />,
    {
      // Errors stay until closed, so that they are read.
      duration: shownFor(toast),
      ...(toast.replaces ? { id: toast.replaces } : {}),
      unstyled: true,
    },
  );
  const { topic } = toast;
  if (topic) idsByTopic.set(topic, [...(idsByTopic.get(topic) ?? []), id]);
}

function hide(topic: string): void {
  for (const id of idsByTopic.get(topic) ?? []) sonner.dismiss(id);
  idsByTopic.delete(topic);
}

const EDGE = 16;
const NARROW_EDGE = 8;
/** Above the results of jobs and the bar of a selection. */
const aboveThose = (edge: number) =>
  `calc(${edge}px + var(--docked-cards, 0px) + var(--bar-below, 0px))`;

/** `toasts` is unused; its changes make `lazyComponent` retry loading. */
export function Toaster(_: { toasts: number }) {
  useEffect(() => connectToastHost(show, hide), []);
  // Below the navigation they cover nothing of the page.
  const isBelowNavigation = useIsBesideNavigation();
  return (
    <SonnerToaster
      position={isBelowNavigation ? 'bottom-left' : 'bottom-right'}
      visibleToasts={useIsPhone() ? AT_ONCE_ON_PHONE : AT_ONCE}
      expand
      gap={GAP}
      offset={{ bottom: aboveThose(EDGE), left: EDGE, right: EDGE }}
      mobileOffset={{ bottom: aboveThose(NARROW_EDGE), left: NARROW_EDGE, right: NARROW_EDGE }}
      style={
        isBelowNavigation
          ? ({ '--width': `calc(var(--nav) - ${2 * EDGE + 1}px)` } as CSSProperties)
          : {}
      }
    />
  );
}
