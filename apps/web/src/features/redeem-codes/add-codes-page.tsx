import {
  createRedeemCodes,
  MAX_CODES_AT_ONCE,
  type RedeemCode,
} from '@linekeeper/contract/credits/redeem-codes.ts';
import { BYTE_ORDER_MARK, escapeFormula } from '@linekeeper/contract/lines/csv.ts';
import { Download, Plus, Printer } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { expiryOf } from '#kit/forms/day-and-time.ts';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { FormPage } from '#kit/forms/form.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { PlainList } from '#kit/list/plain-list.tsx';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { useCopy } from '#kit/ui/buttons/use-copy-text.tsx';
import { DoneCard } from '#kit/ui/done-card.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { downloadCsv } from '#platform/browser/download-file.ts';
import { CodeFields, newCodesForm } from './code-fields.tsx';
import { usePrintSheet } from './print-sheet.tsx';

const newCodes = { count: 1, code: '', description: '', max_uses: 1, day: '', time: '' };

export function AddCodesPage() {
  const [made, setMade] = useState<RedeemCode[] | null>(null);
  if (made) return <MadeCodes codes={made} onCreateMore={() => setMade(null)} />;
  return <AddCodesForm onMade={setMade} />;
}

function AddCodesForm({ onMade }: { onMade: (codes: RedeemCode[]) => void }) {
  const { t } = useTranslation('redeemCodes');
  const { form, field, submission } = useCommandForm(createRedeemCodes, {
    schema: newCodesForm,
    refreshes: ['redeem-codes'],
    defaultValues: newCodes,
    bodyOf: ({ day, time, code, ...body }) => ({
      ...body,
      ...(code ? { code } : {}),
      expires_at: expiryOf({ day, time }),
    }),
    done: ({ codes }) => onMade(codes),
    fieldOfCode: { CODE_EXISTS: 'code' },
  });
  const count = newCodesForm.shape.count.safeParse(form.watch('count')).data ?? 1;
  return (
    <FormPage
      submission={submission}
      label={t('nav.addCodes')}
      submitLabel={t('nav.addCodes')}
      cancelTo="/redeem-codes"
    >
      <TextInput {...field('credits')} label={t('form.credits')} type="number" autoFocus required />
      <TextInput
        {...field('count')}
        label={t('form.count')}
        hint={t('form.countHint', { maximum: MAX_CODES_AT_ONCE })}
        type="number"
      />
      {count === 1 && (
        <TextInput
          {...field('code')}
          label={t('form.code')}
          hint={t('form.codeHint')}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <CodeFields control={form.control} />
    </FormPage>
  );
}

interface MadeCodesProps {
  codes: readonly RedeemCode[];
  onCreateMore: () => void;
}

function MadeCodes({ codes, onCreateMore }: MadeCodesProps) {
  const { t } = useTranslation('redeemCodes');
  const { copy, isCopied } = useCopy(async () => codes.map(({ code }) => code).join('\n'));
  const { sheet, print } = usePrintSheet();
  return (
    <>
      <PageHeader />
      <DoneCard
        titleId="codes-made"
        title={t('made.title', { count: codes.length })}
        summary={t('credits.each', { count: codes[0]?.credits ?? 0 })}
        actions={
          <>
            <Button variant="solid" onClick={copy}>
              {isCopied ? t('copy.done') : t('recurring.copyAll')}
            </Button>
            <Button
              icon={<Download aria-hidden="true" />}
              onClick={() => downloadCsv(codesCsv(codes), 'redeem-codes.csv')}
            >
              {t('action.downloadCsv')}
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
          </>
        }
      >
        <PlainList labelledBy="codes-made">
          {codes.map(({ id, code }) => (
            <li key={id}>
              <TypedText>{code}</TypedText>
            </li>
          ))}
        </PlainList>
        {sheet}
      </DoneCard>
    </>
  );
}

const columns = ['code', 'credits', 'description', 'max_uses', 'expires_at'] as const;

function csvRow(cells: readonly (string | number | null)[]): string {
  const quoted = cells.map(
    (cell) => `"${escapeFormula(String(cell ?? '')).replaceAll('"', '""')}"`,
  );
  return `${quoted.join(',')}\r\n`;
}

/** A file of the codes that were just created, written here; the panel writes the file of a whole list. */
function codesCsv(codes: readonly RedeemCode[]): string {
  const rows = codes.map((code) => csvRow(columns.map((column) => code[column])));
  return BYTE_ORDER_MARK + csvRow(columns) + rows.join('');
}
