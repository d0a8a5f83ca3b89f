import { Check, Eye, Minus } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SelectBox } from '#kit/forms/fields/select-input.tsx';
import { column, type ListColumn, titled } from '#kit/list/columns.tsx';
import { ListCard } from '#kit/list/list-body.tsx';
import { ResponsiveTable } from '#kit/list/table/responsive-table.tsx';
import { PageHeader } from '#kit/page/page-header.tsx';
import { useScreen } from '#kit/page/use-screen.ts';
import { Avatar } from '#kit/ui/avatar.tsx';
import { Badge, type BadgeTone } from '#kit/ui/badge.tsx';
import { Card } from '#kit/ui/card.tsx';
import { CheckPill } from '#kit/ui/controls/pills.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { formatDate } from '#platform/format/format-moment.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { localeOf } from '#platform/i18n/languages.ts';
import {
  type Kind,
  kinds,
  makePosts,
  makeProducts,
  makeUsers,
  type SampleProduct,
  type SampleUser,
} from './generate-samples.ts';
import { PostPicture, ProductPicture } from './pictures.tsx';
import { useSampleTexts } from './use-sample-texts.ts';

/** The template's demonstration pages. All of their data is invented in the browser. */
export function SamplesPage() {
  const { path } = useScreen();
  const texts = useSampleTexts();
  return (
    <>
      <PageHeader />
      <div className="mb-6">
        <Banner tone="info" title={texts.notice}>
          <p>{texts.noticeText}</p>
        </Banner>
      </div>
      {path === '/user' && <SampleUsers />}
      {path === '/products' && <SampleProducts />}
      {path === '/blog' && <SampleBlog />}
    </>
  );
}

const posts = makePosts(9);

/** The cards of posts without links, because there is nothing to read. */
function SampleBlog() {
  const texts = useSampleTexts().blog;
  const { i18n } = useTranslation();
  return (
    <ul
      className="grid grid-cols-[repeat(auto-fill,minmax(var(--least,220px),1fr))] gap-(--card-pad) phone:grid-cols-[1fr] [--least:280px]"
      aria-label={texts.list}
    >
      {posts.map(({ id, author, day, views }, index) => (
        <Card key={id} as="li" flush className="relative overflow-hidden phone:p-0">
          <PostPicture seed={index + 1} />
          <div className="grid grid-cols-1 gap-2 p-4">
            <time className="text-text-2" dateTime={day}>
              {formatDate(`${day}T12:00:00Z`, i18n.language)}
            </time>
            <h2 className="type-strong">{texts.titles[index]}</h2>
            <p className="text-text-2">{texts.lead}</p>
            <p className="flex items-center gap-2 text-text-2 type-caption">
              <Avatar accountId={author} name={author} size={24} />
              <span>
                {texts.by} {author}
              </span>
              <span className="inline-flex items-center gap-1 ms-auto">
                <Eye size={16} />
                <span className="visually-hidden">{texts.views}: </span>
                {formatNumber(views, i18n.language)}
              </span>
            </p>
          </div>
        </Card>
      ))}
    </ul>
  );
}

const users = makeUsers(12);
const tones: Record<SampleUser['status'], BadgeTone> = {
  active: 'success',
  pending: 'warning',
  rejected: 'error',
};

function SampleUsers() {
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
    <span className="inline-flex items-center gap-2">
      <Avatar accountId={id} name={name} size={32} />
      {name}
    </span>
  );
}

function Verified({ user: { is_verified } }: { user: SampleUser }) {
  const texts = useSampleTexts().users;
  const Icon = is_verified ? Check : Minus;
  return (
    <span
      className={`inline-flex items-center gap-2 align-top ${is_verified ? 'text-success-fg' : 'text-text-2'}`}
    >
      <Icon size={16} />
      <span className="visually-hidden">{texts.columns.verified}: </span>
      {is_verified ? texts.yes : texts.no}
    </span>
  );
}

function Status({ user: { status } }: { user: SampleUser }) {
  const texts = useSampleTexts().users;
  return <Badge tone={tones[status]}>{texts.status[status]}</Badge>;
}

const products = makeProducts(24);
const sorts = ['newest', 'cheapest', 'dearest', 'name'] as const;
type Sort = (typeof sorts)[number];

const orders: Record<
  Exclude<Sort, 'name'>,
  (one: SampleProduct, other: SampleProduct) => number
> = {
  newest: (one, other) => one.age - other.age,
  cheapest: (one, other) => one.price - other.price,
  dearest: (one, other) => other.price - one.price,
};

/** Products that can be filtered by kind and sorted. */
function SampleProducts() {
  const texts = useSampleTexts().products;
  const { i18n } = useTranslation();
  const [chosen, choose] = useState<readonly Kind[]>([]);
  const [sort, setSort] = useState<Sort>('newest');
  const id = useId();
  const nameOf = ({ kind, number }: SampleProduct) => `${texts.kinds[kind]} ${number}`;
  const byName = (one: SampleProduct, other: SampleProduct) =>
    nameOf(one).localeCompare(nameOf(other), i18n.language);
  const shown = products
    .filter(({ kind }) => chosen.length === 0 || chosen.includes(kind))
    .toSorted(sort === 'name' ? byName : orders[sort]);
  const toggle = (kind: Kind, isOn: boolean) =>
    choose(isOn ? [...chosen, kind] : chosen.filter((one) => one !== kind));
  return (
    <>
      <div className="flex items-center flex-wrap justify-between gap-4">
        <fieldset className="flex flex-wrap items-stretch gap-2">
          <legend className="visually-hidden">{texts.kind}</legend>
          {kinds.map((kind) => (
            <CheckPill
              key={kind}
              checked={chosen.includes(kind)}
              onChange={(isOn) => toggle(kind, isOn)}
            >
              {texts.kinds[kind]}
            </CheckPill>
          ))}
        </fieldset>
        <div className="grid grid-cols-[auto_minmax(200px,1fr)] items-center gap-y-2 gap-x-3 phone:grid-cols-[1fr] phone:w-full">
          <label className="text-text-2" id={`${id}-label`} htmlFor={id}>
            {texts.sort}
          </label>
          <SelectBox
            id={id}
            value={sort}
            onChange={(chosenSort) => setSort(chosenSort as Sort)}
            options={sorts.map((value) => ({ value, label: texts.sorts[value] }))}
          />
        </div>
      </div>
      <p className="mt-4 mb-4 text-text-2" role="status">
        {texts.count}: {formatNumber(shown.length, i18n.language)}
      </p>
      <ul
        className="grid grid-cols-[repeat(auto-fill,minmax(var(--least,220px),1fr))] gap-(--card-pad) phone:grid-cols-[1fr]"
        aria-label={texts.list}
      >
        {shown.map((product) => (
          <Product key={product.id} product={product} name={nameOf(product)} />
        ))}
      </ul>
    </>
  );
}

function Product({ product, name }: { product: SampleProduct; name: string }) {
  const texts = useSampleTexts().products;
  const { i18n } = useTranslation();
  const { kind, number, price, price_before, is_new } = product;
  const money = (amount: number) =>
    amount.toLocaleString(localeOf(i18n.language), {
      style: 'currency',
      currency: 'EUR',
      maximumFractionDigits: 0,
    });
  return (
    <Card as="li" flush className="relative overflow-hidden phone:p-0">
      <ProductPicture kind={kind} seed={number} />
      <span className="flex items-stretch gap-2 absolute [inset:16px_16px_auto_auto]">
        {is_new && <Badge tone="info">{texts.new}</Badge>}
        {price_before && <Badge tone="error">{texts.sale}</Badge>}
      </span>
      <span className="flex flex-wrap items-baseline justify-between gap-y-1 gap-x-3 p-4 [&_s]:me-2 [&_s]:text-text-2">
        <h2 className="type-strong">{name}</h2>
        <span>
          {price_before && (
            <s>
              <span className="visually-hidden">{texts.was} </span>
              {money(price_before)}
            </s>
          )}
          <b>{money(price)}</b>
        </span>
      </span>
    </Card>
  );
}
