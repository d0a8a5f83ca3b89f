import type { RedeemCode } from '@linekeeper/contract/redeem-codes.ts';
import { Check, Download, Plus, Printer } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { downloadCsv } from '../../shared/download-file.ts';
import { PlainList } from '../../shared/list/plain-list.tsx';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { ButtonLink } from '../../shared/ui/buttons/button-link.tsx';
import { useCopy } from '../../shared/ui/buttons/use-copy.ts';
import { Card } from '../../shared/ui/card.tsx';
import { TypedText } from '../../shared/ui/typed-text.tsx';
import styles from './codes.module.css';
import { codesCsv } from './codes-csv.ts';
import { usePrintSheet } from './print-sheet.tsx';

interface MadeCodesProps {
  codes: readonly RedeemCode[];
  onCreateMore: () => void;
}

/** What was made, to be copied, saved or printed together. */
export function MadeCodes({ codes, onCreateMore }: MadeCodesProps) {
  const { t } = useTranslation('redeemCodes');
  const { t: common } = useTranslation();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const { copy, isCopied } = useCopy(async () => codes.map(({ code }) => code).join('\n'));
  const { sheet, print } = usePrintSheet();
  return (
    <Card className={styles.made} aria-labelledby="codes-made">
      <div className={styles.madeHead}>
        <span className={styles.mark}>
          <Check size={20} aria-hidden="true" />
        </span>
        <div>
          <h2 id="codes-made" ref={title} tabIndex={-1}>
            {t('made.title', { count: codes.length })}
          </h2>
          <p>{t('made.each', { count: codes[0]?.credits ?? 0 })}</p>
        </div>
      </div>
      <PlainList labelledBy="codes-made">
        {codes.map(({ id, code }) => (
          <li key={id}>
            <TypedText>{code}</TypedText>
          </li>
        ))}
      </PlainList>
      <div className={styles.actions}>
        <Button variant="solid" onClick={copy}>
          {isCopied ? common('copy.done') : t('made.copyAll')}
        </Button>
        <Button
          icon={<Download aria-hidden="true" />}
          onClick={() => downloadCsv(codesCsv(codes), 'redeem-codes.csv')}
        >
          {common('action.downloadCsv')}
        </Button>
        <Button icon={<Printer aria-hidden="true" />} onClick={() => print(codes)}>
          {t('print.action')}
        </Button>
        <Button icon={<Plus aria-hidden="true" />} onClick={onCreateMore}>
          {t('made.more')}
        </Button>
        <ButtonLink to="/redeem-codes" variant="text">
          {t('made.back')}
        </ButtonLink>
      </div>
      {sheet}
    </Card>
  );
}
