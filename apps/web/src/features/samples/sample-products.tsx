import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SelectBox } from '../../shared/forms/fields/select-input.tsx';
import { formatNumber } from '../../shared/i18n/format-number.ts';
import { localeOf } from '../../shared/i18n/languages.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { CheckPill } from '../../shared/ui/controls/check-pill.tsx';
import { Row } from '../../shared/ui/vocabulary.tsx';
import { type Kind, kinds, makeProducts, type SampleProduct } from './generate-samples.ts';
import { ProductPicture } from './pictures.tsx';
import styles from './samples.module.css';
import { useSampleTexts } from './use-sample-texts.ts';

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
export function SampleProducts() {
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
        <Row as="fieldset" align="stretch" gap={8} wrap className={styles.kinds}>
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
          <label id={`${id}-label`} htmlFor={id}>
            {texts.sort}
          </label>
          <SelectBox
            id={id}
            value={sort}
            onChange={(chosenSort) => setSort(chosenSort as Sort)}
            options={sorts.map((value) => ({ value, label: texts.sorts[value] }))}
          />
        </div>
      </Row>
      <p className={styles.count} role="status">
        {texts.count}: {formatNumber(shown.length, i18n.language)}
      </p>
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
      <span className={styles.marks}>
        {is_new && <Badge tone="info">{texts.new}</Badge>}
        {price_before && <Badge tone="error">{texts.sale}</Badge>}
      </span>
      <Row as="span" align="baseline" justify="between" wrap className={styles.about}>
        <h2>{name}</h2>
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
