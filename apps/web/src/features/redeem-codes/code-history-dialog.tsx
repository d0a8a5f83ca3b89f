import { listRedemptions, type RedeemCode } from '@linekeeper/contract/credits/redeem-codes.ts';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { PlainList } from '../../shared/list/plain-list.tsx';
import { Button } from '../../shared/ui/buttons/button.tsx';
import dialogStyles from '../../shared/ui/dialogs/dialog.module.css';
import { Dialog } from '../../shared/ui/overlays/late-overlays.ts';
import { FailedPanel } from '../../shared/ui/states/failed-panel.tsx';
import { Timestamp } from '../../shared/ui/timestamp.tsx';
import { TypedText } from '../../shared/ui/typed-text.tsx';
import styles from './codes.module.css';
import { Outcome } from './outcome.tsx';

const MOST_SHOWN = 100;

interface CodeHistoryDialogProps {
  code: RedeemCode;
  onClose: () => void;
}

/** Attempts to redeem a code, newest first. */
export function CodeHistoryDialog({ code: { id, code }, onClose }: CodeHistoryDialogProps) {
  const { t } = useTranslation('redeemCodes');
  const { t: common } = useTranslation();
  const titleId = useId();
  const { data, error, refetch } = useQuery({
    queryKey: ['redemptions', 'code', id],
    queryFn: ({ signal }) =>
      call(listRedemptions, { query: { code_id: id, limit: MOST_SHOWN } }, { signal }),
  });
  const more = (data?.total ?? 0) - MOST_SHOWN;
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId}>
      <div className={dialogStyles.content}>
        <h2 id={titleId}>{t('history.title', { code })}</h2>
        {error && !data && <FailedPanel error={error} onRetry={() => void refetch()} />}
        {data?.items.length === 0 && <p className={dialogStyles.text}>{t('history.none')}</p>}
        {data && data.items.length > 0 && (
          <PlainList labelledBy={titleId}>
            {data.items.map((redemption) => (
              <li key={redemption.id} className={styles.redemption}>
                <span>
                  <TypedText>{redemption.user_email}</TypedText>
                  <Timestamp value={redemption.redeemed_at} />
                </span>
                <Outcome {...redemption} />
              </li>
            ))}
          </PlainList>
        )}
        {more > 0 && <p className={dialogStyles.text}>{common('more', { count: more })}</p>}
        <div className={dialogStyles.actions}>
          <Button onClick={onClose}>{common('action.close')}</Button>
        </div>
      </div>
    </Dialog>
  );
}
