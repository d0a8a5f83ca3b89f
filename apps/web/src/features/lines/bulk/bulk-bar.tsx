import { ArrowRightLeft, CalendarPlus, Download, Pencil, Trash2, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../shared/session.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { useIsPhone } from '../../../shared/ui/use-is-phone.ts';
import { focusList } from '../line-actions.tsx';
import styles from './bulk-bar.module.css';
import { BulkDialog } from './bulk-dialog.tsx';
import { type BarAction, MoreActions } from './more-actions.tsx';
import type { PreviewedAction } from './term.ts';
import { useBulkSelection } from './use-bulk-selection.ts';
import { useExport } from './use-export.ts';

/** What can be done with the selected lines: in place of the toolbar, on a phone at the bottom. */
export function BulkBar() {
  const { t } = useTranslation('bulk');
  const isPhone = useIsPhone();
  const { lines, count, clear } = useBulkSelection();
  const [action, setAction] = useState<PreviewedAction>();
  const hasOrdered = useRef(false);
  // The bar goes with the selection, and the button that would have the focus again with it.
  useEffect(
    () => () => {
      if (hasOrdered.current) setTimeout(focusList);
    },
    [],
  );
  const actions = useActions(setAction);
  const renewText = count === null ? t('action.renew') : t('renewLines', { count });
  const renew = (
    <Button
      variant="solid"
      icon={isPhone ? undefined : <CalendarPlus aria-hidden="true" />}
      onClick={() => setAction('renew')}
    >
      {renewText}
    </Button>
  );
  return (
    <section className={styles.bar} aria-label={t('bar.label')}>
      <SelectedText />
      {isPhone ? (
        <PhoneActions renew={renew} actions={actions} />
      ) : (
        <Actions {...{ renew, actions }} />
      )}
      {action && (
        <BulkDialog
          action={action}
          lines={lines}
          count={count}
          onOrdered={() => {
            hasOrdered.current = true;
            clear();
          }}
          onClose={() => setAction(undefined)}
        />
      )}
    </section>
  );
}

function useActions(open: (action: PreviewedAction) => void): BarAction[] {
  const { t } = useTranslation('bulk');
  const { is_admin } = useMe();
  const { lines } = useBulkSelection();
  const exportLines = useExport();
  const action = (name: PreviewedAction, icon: ReactNode): BarAction => ({
    name,
    icon,
    label: t(`action.${name}`),
    act: () => open(name),
  });
  return [
    { ...action('delete', <Trash2 aria-hidden="true" />), isDanger: true },
    action('edit', <Pencil aria-hidden="true" />),
    ...(is_admin ? [action('move', <ArrowRightLeft aria-hidden="true" />)] : []),
    {
      name: 'export',
      icon: <Download aria-hidden="true" />,
      label: t('action.export'),
      act: () => exportLines(lines),
    },
  ];
}

function SelectedText() {
  const { t } = useTranslation('bulk');
  const isPhone = useIsPhone();
  const { count, isAll, total, isExact, selectAllMatching, clear } = useBulkSelection();
  const isMore = !isAll && total !== null && (total > (count ?? 0) || !isExact);
  return (
    <div className={styles.words}>
      <b role="status">
        {count === null || (isAll && !isExact)
          ? t('bar.allMatching')
          : t('bar.selected', { count })}
      </b>
      {isMore && (
        <>
          <span aria-hidden="true">·</span>
          <button type="button" className={styles.link} onClick={selectAllMatching}>
            {isExact ? t('bar.selectAll', { count: total }) : t('bar.selectAllMany')}
          </button>
        </>
      )}
      {isPhone ? (
        <IconButton label={t('bar.clear')} onClick={clear}>
          <X size={20} aria-hidden="true" />
        </IconButton>
      ) : (
        <>
          <span aria-hidden="true">·</span>
          <button type="button" className={styles.link} onClick={clear}>
            {t('bar.clear')}
          </button>
        </>
      )}
    </div>
  );
}

interface ActionsProps {
  renew: ReactNode;
  actions: BarAction[];
}

function Actions({ renew, actions }: ActionsProps) {
  return (
    <div className={styles.actions}>
      {actions.map(({ name, label, icon, isDanger, act }) => (
        <Button key={name} tone={isDanger ? 'danger' : 'primary'} icon={icon} onClick={act}>
          {label}
        </Button>
      ))}
      {renew}
    </div>
  );
}

function PhoneActions({ renew, actions }: ActionsProps) {
  const first = actions.find(({ name }) => name === 'move' || name === 'edit');
  const rest = actions.filter((action) => action !== first);
  return (
    <div className={styles.actions}>
      {renew}
      {first && (
        <Button icon={first.icon} onClick={first.act}>
          {first.label}
        </Button>
      )}
      <MoreActions actions={rest} />
    </div>
  );
}
