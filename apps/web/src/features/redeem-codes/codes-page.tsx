import type { RedeemCode } from '@linekeeper/contract/credits/redeem-codes.ts';
import { Plus, Tickets } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '../../shared/layout/page-header.tsx';
import { column, type ListColumn } from '../../shared/list/columns.tsx';
import { Found } from '../../shared/list/found.tsx';
import { ListPage } from '../../shared/list/list-page.tsx';
import { ListRows } from '../../shared/list/list-rows.tsx';
import { ButtonLink } from '../../shared/ui/buttons/button-link.tsx';
import { CopyButton } from '../../shared/ui/buttons/copy-button.tsx';
import { EmptyPanel } from '../../shared/ui/states/empty-panel.tsx';
import { Row } from '../../shared/ui/vocabulary.tsx';
import { CodeActions } from './code-actions.tsx';
import styles from './codes.module.css';
import { redeemCodes, statusTones } from './codes-list.ts';
import { ListFiles } from './list-files.tsx';

/** Every redeem code, for administrators. */
export function RedeemCodesPage() {
  const { t } = useTranslation('redeemCodes');
  const add = (
    <ButtonLink to="/redeem-codes/add" variant="solid" icon={<Plus aria-hidden="true" />}>
      {t('addCodes')}
    </ButtonLink>
  );
  return (
    <ListPage
      list={redeemCodes}
      header={
        <PageHeader
          actions={
            <>
              <ListFiles />
              {add}
            </>
          }
        />
      }
      firstUse={
        <EmptyPanel icon={<Tickets />} title={t('firstTitle')} text={t('firstText')} action={add} />
      }
    >
      {(rows) => <ListRows {...rows} columns={columns} Actions={CodeActions} />}
    </ListPage>
  );
}

const columns: ListColumn<RedeemCode>[] = [
  column.name('code', ({ code }) => <Code code={code} />, {
    sortBy: 'code',
    // A code is of no use when it is cut.
    width: { size: 288, min: 288, scrolled: 288 },
  }),
  column.count('credits', ({ credits }) => credits, { sortBy: 'credits', look: 'strong' }),
  column.text(
    'label',
    ({ description }) => description && <Found text={description} className={styles.cut} />,
    { inCard: 'bare' },
  ),
  column.count('uses', (code) => <Uses code={code} />, { sortBy: 'times_used' }),
  column.moment('expires', ({ expires_at }) => expires_at, { sortBy: 'expires_at' }),
  column.status('status', ({ status }) => status, statusTones, { inCard: 'bare' }),
  column.moment('created', ({ created_at }) => created_at, { sortBy: 'created_at' }),
];

function Code({ code }: { code: string }) {
  const { t } = useTranslation('redeemCodes');
  return (
    <Row as="span" gap={4} className={styles.code}>
      <Found text={code} className={styles.cut} />
      <CopyButton value={code} label={t('copy', { code })} />
    </Row>
  );
}

function Uses({ code: { times_used: used, max_uses: maximum } }: { code: RedeemCode }) {
  return useTranslation('redeemCodes').t('usesOf', { used, maximum });
}
