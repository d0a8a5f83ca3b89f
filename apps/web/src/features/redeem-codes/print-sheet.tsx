import type { RedeemCode } from '@linekeeper/contract/credits/redeem-codes.ts';
import { useTranslation } from 'react-i18next';
import { PrintSheet, usePrint, usePrinted } from '#kit/printing/print.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { formatMoment } from '#platform/format/format-moment.ts';

/** Prints codes: `sheet` must be rendered, and is visible on paper only. */
export const usePrintSheet = () => usePrinted(CodesSheet);

const SMALL = 'print:text-inherit print:type-[8pt/11pt_var(--font)]';

function CodesSheet({ rows, onDone }: { rows: readonly RedeemCode[]; onDone: () => void }) {
  const { t, i18n } = useTranslation('redeemCodes');
  const { siteName } = usePrint(onDone);
  const address = `${location.host}/redeem-code`;
  return (
    <PrintSheet>
      <ul className="print:grid print:grid-cols-[1fr_1fr]">
        {rows.map(({ id, code, credits, description, expires_at }) => (
          <li
            key={id}
            className="print:grid print:gap-[2mm] print:content-start print:p-[5mm] print:border print:border-dashed print:border-input-border print:[break-inside:avoid] print:wrap-anywhere"
          >
            <span className="print:flex print:justify-between print:gap-[4mm]">
              <TypedText>{siteName}</TypedText>
              <b className="print:flex-none">{t('credits.amount', { count: credits })}</b>
            </span>
            <strong className="print:type-[700_13pt/18pt_var(--font)] print:tracking-[0.02em] print:wrap-normal print:whitespace-nowrap">
              {code}
            </strong>
            <small className={SMALL}>{t('print.how', { address })}</small>
            {expires_at && (
              <small className={SMALL}>
                {t('print.valid', { moment: formatMoment(expires_at, i18n.language) })}
              </small>
            )}
            {description && (
              <small className={SMALL}>
                <TypedText>{description}</TypedText>
              </small>
            )}
          </li>
        ))}
      </ul>
    </PrintSheet>
  );
}
