import type { Job } from '@linekeeper/contract/lines/bulk.ts';
import {
  type Notification,
  readAllNotifications,
  readNotification,
} from '@linekeeper/contract/notifications.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { BellIcon, CheckCheck, Settings } from 'lucide-react';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { HeaderPanel } from '#app/shell/header-panel.tsx';
import type { HeaderPanelProps } from '#app/shell/header-popover.tsx';
import { isOpen, jobsQuery } from '#domain/jobs/queries.ts';
import { BellEntry, BellList } from '#domain/messages/bell-entry.tsx';
import { notificationsQuery } from '#domain/messages/notifications.ts';
import { badgeText, unreadNotificationsQuery } from '#domain/messages/unread.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { TAB } from '#kit/list/views/tab-bar.tsx';
import { Dialog } from '#kit/overlays/overlays.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { useCan } from '#platform/data/session.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { closePassingResults } from '#platform/state/results.ts';
import { BellNothing, TO_ALL } from './bell-parts.tsx';

const BellResults = lazyPart(() => import('./bell-results.tsx'), 'BellResults', {
  isPart: true,
  texts: 'bulk',
});

const WIDTH = 440;

/** The newest notifications and results; on a phone a sheet. */
export function BellPanel(props: HeaderPanelProps) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  if (!isPhone) {
    return (
      <HeaderPanel {...props} label={t('bell.title')} width={WIDTH}>
        <BellContent onClose={props.onClose} />
      </HeaderPanel>
    );
  }
  return (
    <Dialog
      id={props.id}
      open={Boolean(props.anchor)}
      onClose={props.onClose}
      aria-label={t('bell.title')}
    >
      <BellContent onClose={props.onClose} />
    </Dialog>
  );
}

interface ContentProps {
  onClose: () => void;
}

function BellContent({ onClose }: ContentProps) {
  useEffect(() => closePassingResults(), []);
  return (
    <div className="flex flex-col max-h-[min(720px,calc(100vh_-_120px))]">
      {useCan(['view_users']) ? <Tabs onClose={onClose} /> : <Notifications onClose={onClose} />}
    </div>
  );
}

const endOf = ({ finished_at, created_at }: Job) => finished_at ?? created_at ?? '';

/** The tab with the newest entry that is unread or can be undone, which is open first. */
function useNewestTab(jobs: readonly Job[]): BellTab {
  const { data: notifications = [] } = useQuery(notificationsQuery());
  const unread = notifications.find(({ is_read }) => !is_read);
  const newest = jobs.filter(isOpen).map(endOf).sort().at(-1);
  const [first] = useState<BellTab>(
    newest !== undefined && newest > (unread?.created_at ?? '') ? 'results' : 'notifications',
  );
  return first;
}

function Tabs({ onClose }: ContentProps) {
  const { t } = useTranslation();
  const { data: unread = 0 } = useQuery(unreadNotificationsQuery());
  const { data: jobs = [] } = useQuery(jobsQuery());
  const newest = useNewestTab(jobs);
  const [tab, setTab] = useState(newest);
  const open = jobs.filter(isOpen).length;
  return (
    <BellTabs
      tab={tab}
      onTab={setTab}
      tabs={[
        { id: 'notifications', text: t('bell.title'), count: unread > 0 && badgeText(unread) },
        { id: 'results', text: t('results'), count: open > 0 && badgeText(open) },
      ]}
    >
      {tab === 'results' ? <BellResults onClose={onClose} /> : <Notifications onClose={onClose} />}
    </BellTabs>
  );
}

function Notifications({ onClose }: ContentProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { data: newest, error } = useQuery(notificationsQuery());
  return (
    <>
      <BellHead isEmpty={newest?.length === 0} onClose={onClose} />
      {error && !newest && <p className="py-6 px-5">{errorText(error)}</p>}
      {newest?.length === 0 && <NothingYet />}
      {newest && newest.length > 0 && (
        <BellList>
          {newest.map((notification) => (
            <Entry key={notification.id} notification={notification} onClose={onClose} />
          ))}
        </BellList>
      )}
      <Link to="/messages" className={TO_ALL} onClick={onClose}>
        {t('bell.viewAll')}
      </Link>
    </>
  );
}

function BellHead({ isEmpty, onClose }: { isEmpty: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const { data: count = 0 } = useQuery(unreadNotificationsQuery());
  const hasTabs = useCan(['view_users']);
  const readAll = useCommand(readAllNotifications, {
    refreshes: ['notifications', 'messages'],
    isRepeatable: true,
    isSilent: true,
  });
  return (
    <div className="flex items-center justify-between gap-4 flex-none min-h-14 pt-2 pr-3 pb-2 pl-5 border-b border-b-divider phone:pt-2 phone:pr-2 phone:pb-2 phone:pl-4">
      <div>
        {!hasTabs && <h2>{t('bell.title')}</h2>}
        {!isEmpty && (
          <p className="text-text-2" role="status">
            {t('bell.unread', { count, shown: badgeText(count) })}
          </p>
        )}
      </div>
      {count > 0 && (
        <IconButton label={t('bell.readAll')} onClick={() => void readAll.send()}>
          <CheckCheck size={20} />
        </IconButton>
      )}
      {isEmpty && (
        <Link
          to="/settings"
          className="grid flex-none place-items-center w-(--press) h-(--press) rounded-[50%] text-icon hover:bg-hover"
          aria-label={t('nav.settings')}
          title={t('nav.settings')}
          onClick={onClose}
        >
          <Settings size={20} />
        </Link>
      )}
    </div>
  );
}

function NothingYet() {
  const { t } = useTranslation();
  return <BellNothing icon={<BellIcon size={56} />}>{t('bell.nothing')}</BellNothing>;
}

/** A notification. Opening it marks it as read. */
function Entry({ notification, onClose }: { notification: Notification; onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { id, kind, title, content, is_read, created_at } = notification;
  const reading = useCommand(readNotification, {
    params: { id },
    refreshes: ['notifications', 'messages'],
    isRepeatable: true,
    isSilent: true,
  });
  const href = notification.link ?? '/messages';
  const open = (event: MouseEvent) => {
    if (!is_read) void reading.send();
    // With these keys the browser opens the link in a new tab.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onClose();
    void navigate({ href });
  };
  return (
    <BellEntry
      kind={kind}
      link={notification.link}
      isUnread={!is_read}
      title={
        <a href={href} className="covers" onClick={open}>
          <TypedText>{title}</TypedText>
          {!is_read && <span className="visually-hidden"> {t('bell.isUnread')}</span>}
        </a>
      }
      content={content}
      time={created_at}
    />
  );
}

type BellTab = 'notifications' | 'results';

interface BellTabsProps {
  tabs: readonly { id: BellTab; text: string; count: ReactNode }[];
  tab: BellTab;
  onTab: (tab: BellTab) => void;
  /** The content of the chosen tab. */
  children: ReactNode;
}

/** The tabs of the bell. The Tab key reaches the current one, and the arrow keys switch to the other. */
function BellTabs({ tabs, tab, onTab, children }: BellTabsProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = ({ key }: KeyboardEvent) => {
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return;
    const next = tabs.find((one) => one.id !== tab);
    if (!next) return;
    onTab(next.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  return (
    <>
      <div
        ref={list}
        role="tablist"
        className="flex flex-none gap-8 h-12 px-5 [box-shadow:inset_0_-1px_0_var(--color-divider)] phone:px-4"
        onKeyDown={move}
      >
        {tabs.map(({ id: one, text, count }) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`${id}-${one}`}
            data-tab={one}
            data-current={one === tab || undefined}
            className={`h-full ${TAB}`}
            aria-selected={one === tab}
            aria-controls={`${id}-shown`}
            tabIndex={one === tab ? 0 : -1}
            onClick={() => onTab(one)}
          >
            {text}
            {count && (
              <span className="min-w-6 py-0 px-1.5 rounded-badge bg-neutral-bg text-neutral-fg type-[700_12px/22px_var(--font)] text-center [[aria-selected=true]>&]:bg-text [[aria-selected=true]>&]:text-paper">
                {count}
              </span>
            )}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}-shown`}
        aria-labelledby={`${id}-${tab}`}
        className="flex flex-1 flex-col min-h-0"
      >
        {children}
      </div>
    </>
  );
}
