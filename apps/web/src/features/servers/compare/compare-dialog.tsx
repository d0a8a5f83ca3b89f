import { formatDay } from '@linekeeper/contract/dates.ts';
import { type Comparison, mendServer } from '@linekeeper/contract/servers/compare.ts';
import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { useErrorText } from '../../../shared/i18n/use-error-text.ts';
import { PlainList } from '../../../shared/list/plain-list.tsx';
import { results } from '../../../shared/state/results.ts';
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx';
import { Banner } from '../../../shared/ui/states/banner.tsx';
import { TypedText } from '../../../shared/ui/typed-text.tsx';
import { Row, Stack } from '../../../shared/ui/vocabulary.tsx';
import styles from '../dialogs.module.css';
import { comparisonQuery } from '../queries.ts';
import { useServerProblem } from '../use-server-problem.ts';

export function CompareDialog({ server, onClose }: { server: Server; onClose: () => void }) {
  const { t } = useTranslation('servers');
  const errorText = useErrorText();
  const comparison = useQuery(comparisonQuery(server.id));
  const [removesUnknown, setRemovesUnknown] = useState(false);
  const mend = useCommand(mendServer, {
    params: { id: server.id },
    refreshes: ['servers'],
    isSilent: true,
    done: ({ queued, removed }) => {
      results.success(t('compare.queued', { count: queued + removed }));
      onClose();
    },
  });
  const { data } = comparison;
  const toDeliver = data ? data.missing.count + data.different.count + data.suspended.count : 0;
  // A server that cannot list its accounts, or is known to have lost some, can be repaired even if
  // no differences are listed.
  const isUnknown = data?.offered === false || server.accounts_missing > 0;
  const canMend = isUnknown || toDeliver > 0 || (removesUnknown && Boolean(data?.unknown.count));
  const mendLabel = data?.offered === false ? 'compare.mendAll' : 'compare.mend';
  const confirmLabel = canMend ? mendLabel : 'compare.again';
  const confirm = () => {
    if (!canMend) return void comparison.refetch();
    void mend.send({ remove_unknown: removesUnknown });
  };
  return (
    <ConfirmDialog
      open
      title={t('compare.title', { name: server.server_name })}
      confirmLabel={t(confirmLabel)}
      cancelLabel={t('action.close')}
      pending={comparison.isFetching || mend.isPending}
      refusal={mend.error !== null && <Banner tone="error" title={errorText(mend.error)} isAlert />}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Stack gap={12} above={16} wraps className={styles.comparison} role="status">
        {comparison.isPending && <p>{t('compare.loading')}</p>}
        {comparison.error && <Banner tone="error" title={errorText(comparison.error)} />}
        {data && <Findings comparison={data} server={server} />}
      </Stack>
      {data && data.unknown.count > 0 && (
        <Stack gap={12} above={16} wraps className={styles.comparison}>
          <Row as="label" gap={8}>
            <input
              type="checkbox"
              checked={removesUnknown}
              onChange={({ target }) => setRemovesUnknown(target.checked)}
            />
            {t('compare.removeUnknown')}
          </Row>
        </Stack>
      )}
    </ConfirmDialog>
  );
}

function Findings({ comparison, server }: { comparison: Comparison; server: Server }) {
  const { t } = useTranslation('servers');
  const serverProblem = useServerProblem();
  const { offered, finding, same, due, missing, different, suspended, unknown } = comparison;
  if (!offered) {
    return <Banner tone="warning" title={serverProblem(finding, server.api_port).problem} />;
  }
  const byHand = server.kept_by_hand;
  const isSame =
    due === 0 && [missing, different, suspended, unknown].every(({ count }) => count === 0);
  return (
    <>
      <Banner
        tone={isSame ? 'success' : byHand > 0 ? 'warning' : 'info'}
        title={isSame ? t('compare.allSame') : t('compare.same', { count: same })}
      >
        {isSame && <p>{t('compare.same', { count: same })}</p>}
        {due > 0 && <p>{t('compare.due', { count: due })}</p>}
        {byHand > 0 && <p>{t('takeOver.title', { count: byHand })}</p>}
      </Banner>
      <Difference
        title={t('compare.missing', { count: missing.count })}
        {...missing}
        show={(name) => name}
      />
      <Difference
        title={t('compare.different', { count: different.count })}
        {...different}
        show={({ username, expiry_date, on_server }) =>
          t('compare.dates', {
            username,
            onServer: on_server ? formatDay(on_server) : t('compare.noDate'),
            expiry: formatDay(expiry_date),
          })
        }
      />
      <Difference
        title={t('compare.suspended', { count: suspended.count })}
        {...suspended}
        show={(name) => name}
      />
      <Difference
        title={t('compare.unknown', { count: unknown.count })}
        {...unknown}
        show={(name) => name}
      />
    </>
  );
}

interface DifferenceProps<Item> {
  title: string;
  count: number;
  items: readonly Item[];
  show: (item: Item) => string;
}

function Difference<Item>({ title, count, items, show }: DifferenceProps<Item>): ReactNode {
  const { t } = useTranslation('servers');
  const id = useId();
  if (count === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <PlainList labelledBy={id}>
        {items.map((item) => (
          <li key={show(item)}>
            <TypedText>{show(item)}</TypedText>
          </li>
        ))}
        {count > items.length && <li>{t('compare.more', { count: count - items.length })}</li>}
      </PlainList>
    </section>
  );
}
