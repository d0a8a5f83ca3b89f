import { listRedemptions, type RedeemCode } from '@linekeeper/contract/credits/redeem-codes.ts';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { PlainList } from '../../shared/list/plain-list.tsx';
import { DialogText, InfoDialog } from '../../shared/ui/dialogs/dialog-parts.tsx';
import { FailedPanel } from '../../shared/ui/states/failed-panel.tsx';
import { Timestamp } from '../../shared/ui/timestamp.tsx';
import { TypedText } from '../../shared/ui/typed-text.tsx';
import { Row } from '../../shared/ui/vocabulary.tsx';
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
  const titleId = useId();
  const { data, error, refetch } = useQuery({
    queryKey: ['redemptions', 'code', id],
    queryFn: ({ signal }) =>
      call(listRedemptions, { query: { code_id: id, limit: MOST_SHOWN } }, { signal }),
  });
  const more = (data?.total ?? 0) - MOST_SHOWN;
  return (
    <InfoDialog title={<span id={titleId}>{t('history.title', { code })}</span>} onClose={onClose}>
      {error && !data && <FailedPanel error={error} onRetry={() => void refetch()} />}
      {data?.items.length === 0 && <DialogText>{t('history.none')}</DialogText>}
      {data && data.items.length > 0 && (
        <PlainList labelledBy={titleId}>
          {data.items.map((redemption) => (
            <Row
              key={redemption.id}
              as="li"
              gap={16}
              justify="between"
              className={styles.redemption}
            >
              <span>
                <TypedText>{redemption.user_email}</TypedText>
                <Timestamp value={redemption.redeemed_at} />
              </span>
              <Outcome {...redemption} />
            </Row>
          ))}
        </PlainList>
      )}
      {more > 0 && <DialogText>{t('more', { count: more })}</DialogText>}
    </InfoDialog>
  );
}
