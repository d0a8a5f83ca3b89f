import type { Orphan } from '@linekeeper/contract/servers/orphans.ts';
import { Link } from '@tanstack/react-router';
import { Trash2, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ExpiryBadge } from '../../../shared/lines/expiry.tsx';
import { column, type ListColumn } from '../../../shared/list/columns.tsx';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { IconButton } from '../../../shared/ui/buttons/icon-button.tsx';
import { TypedText } from '../../../shared/ui/typed-text.tsx';
import { useNeedsConnection } from '../../../shared/ui/use-needs-connection.ts';
import { Row } from '../../../shared/ui/vocabulary.tsx';
import styles from '../sync.module.css';
import { AdoptDialog } from './adopt-dialog.tsx';
import { RemoveDialog } from './remove-dialog.tsx';

export const orphanColumns: ListColumn<Orphan>[] = [
  column.name('username', (orphan) => <Username orphan={orphan} />, { sortBy: 'username' }),
  column.text('server', ({ server_name }) => <TypedText>{server_name}</TypedText>, {
    look: 'typed',
  }),
  column.text('expiry', ({ expiry_date }) => <Expiry day={expiry_date} />, {
    sortBy: 'expiry_date',
    // Holds a day and its badge in all languages, and on two lines "5 miesięcy temu".
    width: { size: 236, min: 146, max: undefined },
  }),
  column.moment('found', ({ found_at }) => found_at, { sortBy: 'found_at' }),
];

function Username({ orphan: { username, name_problem } }: { orphan: Orphan }) {
  const { t } = useTranslation();
  return (
    <Row as="span" inline wrap className={styles.name}>
      <TypedText>{username}</TypedText>
      {name_problem && (
        <Badge tone="warning" icon={<TriangleAlert />}>
          {t('line.name.long')}
        </Badge>
      )}
    </Row>
  );
}

function Expiry({ day }: { day: Orphan['expiry_date'] }) {
  const { t } = useTranslation('sync');
  if (!day) return t('orphans.noExpiry');
  return (
    <span className={styles.expiry}>
      <ExpiryBadge day={day} />
    </span>
  );
}

export function OrphanActions({ row: orphan }: { row: Orphan }) {
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
