import { Check, Eye, Minus } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
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
  numbersFrom,
  type SampleProduct,
  type SampleUser,
} from './generate-samples.ts';
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

const pictureTones = ['1', '2', '3', '4'] as const;

const shapes: Record<Kind, ReactNode> = {
  lamp: (
    <>
      <path d="M62 42h36l14 38H48z" />
      <path d="M78 80h4v34h-4zM62 114h36v6H62z" />
    </>
  ),
  chair: <path d="M54 34h10v44h42V60h10v60h-8V92H64v28H54z" />,
  cup: (
    <>
      <path d="M50 56h50v34a20 20 0 0 1-20 20H70a20 20 0 0 1-20-20z" />
      <path d="M100 62h6a14 14 0 0 1 0 28h-6v-8h6a6 6 0 0 0 0-12h-6z" />
    </>
  ),
  plant: (
    <>
      <path d="M60 90h40l-6 30H66z" />
      <path d="M78 90C60 84 50 66 54 46c16 4 26 20 26 36 2-20 12-38 30-42 0 24-10 44-28 50z" />
    </>
  ),
  clock: (
    <path d="M80 36a42 42 0 1 0 0 84 42 42 0 0 0 0-84zm0 8a34 34 0 1 1 0 68 34 34 0 0 1 0-68zm-4 12h8v21l14 9-4 7-18-12z" />
  ),
};

/** A product, drawn in one colour. */
function ProductPicture({ kind, seed }: { kind: Kind; seed: number }) {
  return (
    <svg
      className="block w-full"
      color={`var(--color-chart-${pictureTones[seed % pictureTones.length]})`}
      viewBox="0 0 160 150"
      aria-hidden="true"
    >
      <rect className="fill-current opacity-12" width="160" height="150" />
      <g className="fill-current">{shapes[kind]}</g>
    </svg>
  );
}

/** A drawing of hills below a sun, which a number makes different for each post. */
function PostPicture({ seed }: { seed: number }) {
  const id = useId();
  const next = numbersFrom(seed * 7919 + 1);
  const sun = { x: 40 + next() * 240, y: 30 + next() * 40, r: 14 + next() * 16 };
  const hills = [0, 1, 2].map((row) => {
    const base = 90 + row * 26;
    const [a = 0, b = 0] = [next() * 50, next() * 50];
    return `M0 ${base}C80 ${base - a} 120 ${base + 20} 180 ${base - b}S280 ${base - 10} 320 ${base - 10}V180H0z`;
  });
  return (
    <svg
      className="block w-full"
      color={`var(--color-chart-${pictureTones[seed % pictureTones.length]})`}
      viewBox="0 0 320 180"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <rect className="fill-current opacity-12" width="320" height="180" />
      <circle className="fill-current" cx={sun.x} cy={sun.y} r={sun.r} opacity={0.4} />
      {hills.map((path, row) => (
        <path key={`${id}-${path}`} className="fill-current" d={path} opacity={0.25 + row * 0.25} />
      ))}
    </svg>
  );
}
