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
import { Muted, Row, Stack, Strong, Text } from '#kit/ui/vocabulary.tsx';
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
import styles from './samples.module.css';
import { useSampleTexts } from './use-sample-texts.ts';

/** The template's demonstration pages. All that they show is made here and means nothing. */
export function SamplesPage() {
  const { path } = useScreen();
  const texts = useSampleTexts();
  return (
    <>
      <PageHeader />
      <Text as="div" below={24}>
        <Banner tone="info" title={texts.notice}>
          <p>{texts.noticeText}</p>
        </Banner>
      </Text>
      {path === '/user' && <SampleUsers />}
      {path === '/products' && <SampleProducts />}
      {path === '/blog' && <SampleBlog />}
    </>
  );
}

const posts = makePosts(9);

/** Post cards; they lead nowhere, because there is nothing to read. */
function SampleBlog() {
  const texts = useSampleTexts().blog;
  const { i18n } = useTranslation();
  return (
    <ul className={`${styles.products} ${styles.posts}`} aria-label={texts.list}>
      {posts.map(({ id, author, day, views }, index) => (
        <Card key={id} as="li" flush className={styles.product}>
          <PostPicture seed={index + 1} />
          <Stack gap={8} className={styles.words}>
            <Muted as="time" dateTime={day}>
              {formatDate(`${day}T12:00:00Z`, i18n.language)}
            </Muted>
            <Strong as="h2">{texts.titles[index]}</Strong>
            <Muted as="p">{texts.lead}</Muted>
            <Row as="p" gap={8} muted caption>
              <Avatar accountId={author} name={author} size={24} />
              <span>
                {texts.by} {author}
              </span>
              <Row as="span" inline gap={4} push>
                <Eye size={16} />
                <span className="visually-hidden">{texts.views}: </span>
                {formatNumber(views, i18n.language)}
              </Row>
            </Row>
          </Stack>
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
    <Row as="span" inline gap={8}>
      <Avatar accountId={id} name={name} size={32} />
      {name}
    </Row>
  );
}

function Verified({ user: { is_verified } }: { user: SampleUser }) {
  const texts = useSampleTexts().users;
  const Icon = is_verified ? Check : Minus;
  return (
    <Row
      as="span"
      inline
      gap={8}
      muted
      tone={is_verified ? 'success' : undefined}
      className={styles.verified}
    >
      <Icon size={16} />
      <span className="visually-hidden">{texts.columns.verified}: </span>
      {is_verified ? texts.yes : texts.no}
    </Row>
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

/** Products that can be narrowed to some kinds and put in another order. */
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
      <Row gap={16} justify="between" wrap>
        <Row as="fieldset" align="stretch" gap={8} wrap>
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
        </Row>
        <div className={styles.sort}>
          <Muted as="label" id={`${id}-label`} htmlFor={id}>
            {texts.sort}
          </Muted>
          <SelectBox
            id={id}
            value={sort}
            onChange={(chosenSort) => setSort(chosenSort as Sort)}
            options={sorts.map((value) => ({ value, label: texts.sorts[value] }))}
          />
        </div>
      </Row>
      <Muted as="p" above={16} below={16} role="status">
        {texts.count}: {formatNumber(shown.length, i18n.language)}
      </Muted>
      <ul className={styles.products} aria-label={texts.list}>
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
    <Card as="li" flush className={styles.product}>
      <ProductPicture kind={kind} seed={number} />
      <Row as="span" align="stretch" gap={8} className={styles.marks}>
        {is_new && <Badge tone="info">{texts.new}</Badge>}
        {price_before && <Badge tone="error">{texts.sale}</Badge>}
      </Row>
      <Row gap="4 12" as="span" align="baseline" justify="between" wrap className={styles.about}>
        <Strong as="h2">{name}</Strong>
        <span>
          {price_before && (
            <s>
              <span className="visually-hidden">{texts.was} </span>
              {money(price_before)}
            </s>
          )}
          <b>{money(price)}</b>
        </span>
      </Row>
    </Card>
  );
}
