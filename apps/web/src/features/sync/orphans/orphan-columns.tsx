import type { Orphan } from '@linekeeper/contract/servers/orphans.ts';
import { Link } from '@tanstack/react-router';
import { Trash2, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ExpiryBadge } from '../../../shared/lines/expiry.tsx';
import type { Column } from '../../../shared/list/table/column.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { IconButton } from '../../../shared/ui/buttons/icon-button.tsx';
import { Timestamp } from '../../../shared/ui/timestamp.tsx';
import { TypedText } from '../../../shared/ui/typed-text.tsx';
import { useNeedsConnection } from '../../../shared/ui/use-needs-connection.ts';
import { Row } from '../../../shared/ui/vocabulary.tsx';
import styles from '../sync.module.css';
import { AdoptDialog } from './adopt-dialog.tsx';
import { RemoveDialog } from './remove-dialog.tsx';

export function useOrphanColumns(): Column<Orphan>[] {
  const { t } = useTranslation('sync');
  return [
    {
      id: 'username',
      kind: 'name',
      title: t('orphans.columns.username'),
      sortBy: 'username',
      cell: ({ username, name_problem }) => (
        <Row as="span" inline wrap className={styles.name}>
          <TypedText>{username}</TypedText>
          {name_problem && (
            <Badge tone="warning" icon={<TriangleAlert />}>
              {t('line.name.long')}
            </Badge>
          )}
        </Row>
      ),
    },
    {
      id: 'server',
      title: t('orphans.columns.server'),
      look: 'typed',
      cell: ({ server_name }) => <TypedText>{server_name}</TypedText>,
    },
    {
      id: 'expiry',
      title: t('orphans.columns.expiry'),
      sortBy: 'expiry_date',
      cell: ({ expiry_date }) =>
        expiry_date ? (
          <span className={styles.expiry}>
            <ExpiryBadge day={expiry_date} />
          </span>
        ) : (
          t('orphans.noExpiry')
        ),
    },
    {
      id: 'found',
      title: t('orphans.columns.found'),
      sortBy: 'found_at',
      look: 'quiet',
      cell: ({ found_at }) => <Timestamp value={found_at} />,
    },
    {
      id: 'actions',
      kind: 'actions',
      title: t('list.actions'),
      cell: (orphan) => <OrphanActions orphan={orphan} />,
    },
  ];
}

function OrphanActions({ orphan }: { orphan: Orphan }) {
  const { t } = useTranslation('sync');
  const blocked = useNeedsConnection();
  const [asked, setAsked] = useState<'adopt' | 'remove' | null>(null);
  const named = { username: orphan.username, server: orphan.server_name };
  const close = () => setAsked(null);
  return (
    <Row as="span" inline gap={8}>
      {orphan.refusal ? (
        <WhyNot orphan={orphan} />
      ) : (
        <Button
          size="small"
          blocked={blocked}
          aria-label={t('orphans.adopt.of', named)}
          onClick={() => setAsked('adopt')}
        >
          {t('orphans.adopt.action')}
        </Button>
      )}
      <IconButton
        size="small"
        blocked={blocked}
        label={t('orphans.remove.of', named)}
        onClick={() => setAsked('remove')}
      >
        <Trash2 size={18} aria-hidden="true" />
      </IconButton>
      {asked === 'adopt' && <AdoptDialog orphan={orphan} onClose={close} />}
      {asked === 'remove' && <RemoveDialog what={orphan} onClose={close} />}
    </Row>
  );
}

/** The name is a line elsewhere, or no name that a line may have. */
function WhyNot({ orphan: { line_id } }: { orphan: Orphan }) {
  const { t } = useTranslation('sync');
  if (!line_id) return <span className={styles.why}>{t('orphans.unfit')}</span>;
  return (
    <Link to="/users/edit/$id" params={{ id: line_id }} className={styles.why}>
      {t('orphans.taken')}
    </Link>
  );
}
