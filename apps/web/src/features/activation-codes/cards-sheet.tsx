import type { ActivationCode } from '@linekeeper/contract/credits/activation-codes.ts';
import { useTranslation } from 'react-i18next';
import { useHasPlans, usePlanName } from '#domain/prices/plans.ts';
import { PrintSheet, usePrint, usePrinted } from '#kit/printing/print.tsx';
import { QrCode } from '#kit/ui/qr-code.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';

/** Prints codes as cards: `sheet` must be rendered, and is visible on paper only. */
export const usePrintedCards = () => usePrinted(Cards);

const SMALL = 'print:text-inherit print:type-[8pt/11pt_var(--font)]';

function Cards({ rows, onDone }: { rows: readonly ActivationCode[]; onDone: () => void }) {
  const { t } = useTranslation('activationCodes');
  const { siteName } = usePrint(onDone);
  const hasPlans = useHasPlans();
  const planName = usePlanName();
  const address = `${location.host}/activate`;
  return (
    <PrintSheet>
      <ul className="print:grid print:grid-cols-[1fr_1fr]">
        {rows.map(({ id, code, plan_id, months }) => (
          <li
            key={id}
            className="print:grid print:grid-cols-[minmax(0,1fr)_22mm] print:gap-[3mm] print:items-start print:p-[5mm] print:border print:border-dashed print:border-input-border print:[break-inside:avoid] print:wrap-anywhere"
          >
            <span className="print:grid print:gap-[1.5mm]">
              <TypedText>{siteName}</TypedText>
              <b>
                {hasPlans && plan_id && (
                  <>
                    <TypedText>{planName(plan_id)}</TypedText>,{' '}
                  </>
                )}
                {t('credits.months', { count: months })}
              </b>
              <small className={SMALL}>{t('print.how', { address })}</small>
            </span>
            {/* After #, so that the code reaches no log on its way. */}
            <QrCode text={`${location.origin}/activate#${code}`} label={code} />
            <strong className="print:col-span-2 print:type-[700_13pt/18pt_var(--font)] print:tracking-[0.02em] print:wrap-normal print:whitespace-nowrap">
              {code}
            </strong>
          </li>
        ))}
      </ul>
    </PrintSheet>
  );
}
