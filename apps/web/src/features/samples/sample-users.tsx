import { Check, Minus } from 'lucide-react';
import { useState } from 'react';
import { column, type ListColumn, titled } from '../../shared/list/columns.tsx';
import { ListCard } from '../../shared/list/list-body.tsx';
import { ResponsiveTable } from '../../shared/list/table/responsive-table.tsx';
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
  const { caption, columns: titles } = useSampleTexts().users;
  const [order, setOrder] = useState<string>('name');
  const field = order.replace('-', '') as 'name' | 'company';
  const sign = order.startsWith('-') ? -1 : 1;
  const rows = users.toSorted((one, other) => sign * one[field].localeCompare(other[field]));
  const sort = (by: string) => setOrder(order === by ? `-${by}` : by);
  return (
    <ListCard label={caption} hasCards>
      <ResponsiveTable
        caption={caption}
        columns={titled(columns, (id) => titles[id as keyof typeof titles])}
        rows={rows}
        sorting={{ order, sort }}
      />
    </ListCard>
  );
}

const columns: ListColumn<SampleUser>[] = [
  column.name('name', (user) => <Person user={user} />, { sortBy: 'name' }),
  column.text('company', ({ company }) => company, { sortBy: 'company', inCard: 'bare' }),
  column.text('role', ({ role }) => <Role role={role} />, { inCard: 'bare' }),
  column.badge('verified', (user) => <Verified user={user} />, { inCard: 'bare' }),
  column.badge('status', (user) => <Status user={user} />, { inCard: 'badge' }),
];

function Role({ role }: Pick<SampleUser, 'role'>) {
  return useSampleTexts().users.roles[role];
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
