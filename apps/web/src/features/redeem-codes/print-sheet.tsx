import type { RedeemCode } from '@linekeeper/contract/credits/redeem-codes.ts';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PrintSheet, usePrint } from '#kit/printing/print.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { formatMoment } from '#platform/format/format-moment.ts';

/** Prints codes: `sheet` must be rendered, and is seen on paper only. */
export function usePrintSheet(): {
  sheet: ReactNode;
  print: (codes: readonly RedeemCode[]) => void;
} {
  const [codes, print] = useState<readonly RedeemCode[]>([]);
  return {
    sheet: codes.length > 0 && <CodesSheet codes={codes} onDone={() => print([])} />,
    print,
  };
}

function CodesSheet({ codes, onDone }: { codes: readonly RedeemCode[]; onDone: () => void }) {
  const { t, i18n } = useTranslation('redeemCodes');
  const { siteName } = usePrint(onDone);
  const address = `${location.host}/redeem-code`;
  return (
    <PrintSheet>
      <ul className="print:grid print:grid-cols-[1fr_1fr] print:[&_li]:grid print:[&_li]:gap-[2mm] print:[&_li]:content-start print:[&_li]:p-[5mm] print:[&_li]:border print:[&_li]:border-dashed print:[&_li]:border-input-border print:[&_li]:[break-inside:avoid] print:[&_li]:wrap-anywhere print:[&_li>span]:flex print:[&_li>span]:justify-between print:[&_li>span]:gap-[4mm] print:[&_b]:flex-none print:[&_strong]:type-[700_13pt/18pt_var(--font)] print:[&_strong]:tracking-[0.02em] print:[&_strong]:wrap-normal print:[&_strong]:whitespace-nowrap print:[&_small]:text-inherit print:[&_small]:type-[8pt/11pt_var(--font)]">
        {codes.map(({ id, code, credits, description, expires_at }) => (
          <li key={id}>
            <span>
              <TypedText>{siteName}</TypedText>
              <b>{t('credits.amount', { count: credits })}</b>
            </span>
            <strong>{code}</strong>
            <small>{t('print.how', { address })}</small>
            {expires_at && (
              <small>{t('print.valid', { moment: formatMoment(expires_at, i18n.language) })}</small>
            )}
            {description && (
              <small>
                <TypedText>{description}</TypedText>
              </small>
            )}
          </li>
        ))}
      </ul>
    </PrintSheet>
  );
}
