import type { AccountFigures } from '@linekeeper/contract/accounts/accounts.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { Caption, Muted, Row } from '../../../shared/ui/vocabulary.tsx';
import styles from './account.module.css';

type Sold = AccountFigures['sold'];

/** Lines sold by month: as bars, or with the numbers as text. */
export function SoldLines({ sold }: { sold: Sold | undefined }) {
  const { t } = useTranslation('account');
  const [hasNumbers, setHasNumbers] = useState(false);
  const all = sold?.reduce((sum, { lines }) => sum + lines, 0);
  return (
    <Card
      className={styles.sold}
      title={t('sold.title')}
      action={
        <Button
          variant="text"
          size="small"
          aria-pressed={hasNumbers}
          onClick={() => setHasNumbers(!hasNumbers)}
        >
          {t(hasNumbers ? 'sold.asBars' : 'sold.asTable')}
        </Button>
      }
    >
      <Muted as="p">
        {sold &&
          (all === 0
            ? t('sold.none')
            : t('sold.sum', { lines: all, latest: sold.at(-1)?.lines ?? 0 }))}
      </Muted>
      {sold && <Months sold={sold} hasNumbers={hasNumbers} />}
    </Card>
  );
}

const STEPS = [1, 2, 5];
const MOST_STEPS = 5;

/** Round numbers from 0 to at least the most. */
function scaleTo(most: number): number[] {
  const powers = Array.from({ length: 12 }, (_, index) => 10 ** index);
  const steps = powers.flatMap((power) => STEPS.map((step) => step * power));
  const step = steps.find((one) => one * MOST_STEPS >= most) ?? most;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
}

/** A list either way, which reads the same aloud. */
function Months({ sold, hasNumbers }: { sold: Sold; hasNumbers: boolean }) {
  const { t, i18n } = useTranslation();
  const scale = scaleTo(Math.max(1, ...sold.map(({ lines }) => lines)));
  const top = scale.at(-1) ?? 1;
  const nameOf = (month: string, length: 'long' | 'narrow') =>
    new Intl.DateTimeFormat(i18n.language, {
      month: length,
      ...(length === 'long' ? { year: 'numeric' } : {}),
      timeZone: 'UTC',
    }).format(new Date(`${month}-01T00:00:00Z`));
  const months = (
    <ul className={hasNumbers ? styles.months : styles.bars}>
      {sold.map(({ month, lines }) => (
        <li key={month} title={`${nameOf(month, 'long')}: ${t('number', { value: lines })}`}>
          {hasNumbers ? (
            <>
              <span>{nameOf(month, 'long')}</span>
              <b>{t('number', { value: lines })}</b>
            </>
          ) : (
            <>
              <span className="visually-hidden">
                {nameOf(month, 'long')}: {t('number', { value: lines })}
              </span>
              <Row
                as="span"
                align="end"
                justify="center"
                className={styles.track}
                aria-hidden="true"
              >
                <span
                  className={styles.bar}
                  data-print="ink"
                  style={{ blockSize: `${(lines / top) * 100}%` }}
                />
              </Row>
              <Caption className={styles.month} aria-hidden="true">
                {nameOf(month, 'narrow')}
              </Caption>
            </>
          )}
        </li>
      ))}
    </ul>
  );
  if (hasNumbers) return months;
  return (
    <div className={styles.chart}>
      <Caption as="div" className={styles.scale} aria-hidden="true">
        {scale.toReversed().map((value) => (
          <span key={value}>{t('number', { value })}</span>
        ))}
      </Caption>
      {months}
    </div>
  );
}
