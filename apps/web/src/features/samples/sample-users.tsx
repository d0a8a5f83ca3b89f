import { Check, Minus } from 'lucide-react';
import { useState } from 'react';
import { useIsPhone } from '../../shared/browser/use-is-phone.ts';
import { ListCard } from '../../shared/list/list-body.tsx';
import { CardLine, Cards, RowCard } from '../../shared/list/table/cards.tsx';
import type { Column } from '../../shared/list/table/column.ts';
import { Table } from '../../shared/list/table/table.tsx';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Badge, type BadgeTone } from '../../shared/ui/badge.tsx';
import { makeUsers, type SampleUser } from './generate-samples.ts';
import styles from './samples.module.css';
import { useSampleTexts } from './use-sample-texts.ts';

const users = makeUsers(12);
const tones: Record<SampleUser['status'], BadgeTone> = {
  active: 'success',
  pending: 'warning',
  rejected: 'error',
};

export function SampleUsers() {
  const { caption } = useSampleTexts().users;
  const columns = useColumns();
  const [order, setOrder] = useState<string>('name');
  const field = order.replace('-', '') as 'name' | 'company';
  const sign = order.startsWith('-') ? -1 : 1;
  const rows = users.toSorted((one, other) => sign * one[field].localeCompare(other[field]));
  const sort = (by: string) => setOrder(order === by ? `-${by}` : by);
  if (useIsPhone()) return <UserCards rows={rows} />;
  return (
    <ListCard label={caption}>
      <Table
        look="page"
        caption={caption}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        sorting={{ order, sort }}
      />
    </ListCard>
  );
}

function UserCards({ rows }: { rows: readonly SampleUser[] }) {
  const texts = useSampleTexts().users;
  return (
    <Cards label={texts.caption} isInert={false}>
      {rows.map((user) => (
        <RowCard
          key={user.id}
          name={<Person user={user} />}
          badge={<Status user={user} />}
          actions={null}
        >
          <CardLine>
            <span>
              {user.company} · {texts.roles[user.role]}
            </span>
            <Verified user={user} />
          </CardLine>
        </RowCard>
      ))}
    </Cards>
  );
}

function Person({ user: { id, name } }: { user: SampleUser }) {
  return (
    <span className={styles.person}>
      <Avatar accountId={id} name={name} size={32} />
      {name}
    </span>
  );
}

function Verified({ user: { is_verified } }: { user: SampleUser }) {
  const texts = useSampleTexts().users;
  const Icon = is_verified ? Check : Minus;
  return (
    <span className={styles.verified} data-verified={is_verified || undefined}>
      <Icon size={16} aria-hidden="true" />
      <span className="visually-hidden">{texts.columns.verified}: </span>
      {is_verified ? texts.yes : texts.no}
    </span>
  );
}

function Status({ user: { status } }: { user: SampleUser }) {
  const texts = useSampleTexts().users;
  return <Badge tone={tones[status]}>{texts.status[status]}</Badge>;
}

function useColumns(): Column<SampleUser>[] {
  const texts = useSampleTexts().users;
  return [
    {
      id: 'name',
      kind: 'name',
      title: texts.columns.name,
      sortBy: 'name',
      cell: (user) => <Person user={user} />,
    },
    {
      id: 'company',
      title: texts.columns.company,
      sortBy: 'company',
      cell: ({ company }) => company,
    },
    { id: 'role', title: texts.columns.role, cell: ({ role }) => texts.roles[role] },
    { id: 'verified', title: texts.columns.verified, cell: (user) => <Verified user={user} /> },
    { id: 'status', title: texts.columns.status, cell: (user) => <Status user={user} /> },
  ];
}
