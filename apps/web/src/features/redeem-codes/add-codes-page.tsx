import {
  createRedeemCodes,
  MAX_CODES_AT_ONCE,
  type RedeemCode,
} from '@linekeeper/contract/credits/redeem-codes.ts';
import { BYTE_ORDER_MARK, escapeFormula } from '@linekeeper/contract/lines/csv.ts';
import { Download, Plus, Printer } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { downloadCsv } from '../../shared/browser/download-file.ts';
import { useCommand } from '../../shared/commands/use-command.ts';
import { expiryOf } from '../../shared/forms/day-and-time.ts';
import { TextInput } from '../../shared/forms/fields/text-input.tsx';
import { FormActions, FormCard } from '../../shared/forms/form.tsx';
import { FormProblems } from '../../shared/forms/form-problems.tsx';
import { SubmitButton } from '../../shared/forms/submit-button.tsx';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../shared/forms/use-submit.ts';
import { PageHeader } from '../../shared/layout/page-header.tsx';
import { PlainList } from '../../shared/list/plain-list.tsx';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { ButtonLink } from '../../shared/ui/buttons/button-link.tsx';
import { useCopy } from '../../shared/ui/buttons/use-copy-text.tsx';
import { DoneCard } from '../../shared/ui/done-card.tsx';
import { TypedText } from '../../shared/ui/typed-text.tsx';
import { CodeFields, newCodesForm } from './code-fields.tsx';
import { usePrintSheet } from './print-sheet.tsx';

const newCodes = { count: 1, code: '', description: '', max_uses: 1, day: '', time: '' };

export function AddCodesPage() {
  const [made, setMade] = useState<RedeemCode[] | null>(null);
  return (
    <>
      <PageHeader />
      {made ? (
        <MadeCodes codes={made} onCreateMore={() => setMade(null)} />
      ) : (
        <AddCodesForm onMade={setMade} />
      )}
    </>
  );
}

function AddCodesForm({ onMade }: { onMade: (codes: RedeemCode[]) => void }) {
  const { t } = useTranslation('redeemCodes');
  const form = useContractForm({ schema: newCodesForm, defaultValues: newCodes });
  const { control } = form;
  const submission = useSubmit({
    form,
    command: useCommand(createRedeemCodes, { refreshes: ['redeem-codes'] }),
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
    <FormCard submission={submission} label={t('addCodes')}>
      <FormProblems form={form} />
      <TextInput
        control={control}
        name="credits"
        label={t('form.credits')}
        type="number"
        autoFocus
        required
      />
      <TextInput
        control={control}
        name="count"
        label={t('form.count')}
        hint={t('form.countHint', { maximum: MAX_CODES_AT_ONCE })}
        type="number"
      />
      {count === 1 && (
        <TextInput
          control={control}
          name="code"
          label={t('form.code')}
          hint={t('form.codeHint')}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <CodeFields control={control} />
      <FormActions>
        <SubmitButton pending={submission.isPending}>{t('create', { count })}</SubmitButton>
        <ButtonLink to="/redeem-codes">{t('action.cancel')}</ButtonLink>
      </FormActions>
    </FormCard>
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
    <DoneCard
      titleId="codes-made"
      title={t('made.title', { count: codes.length })}
      summary={t('made.each', { count: codes[0]?.credits ?? 0 })}
      actions={
        <>
          <Button variant="solid" onClick={copy}>
            {isCopied ? t('copy.done') : t('made.copyAll')}
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
  );
}

const columns = ['code', 'credits', 'description', 'max_uses', 'expires_at'] as const;

function csvRow(cells: readonly (string | number | null)[]): string {
  const quoted = cells.map(
    (cell) => `"${escapeFormula(String(cell ?? '')).replaceAll('"', '""')}"`,
  );
  return `${quoted.join(',')}\r\n`;
}

/** The codes that were just made; the panel writes the file of the whole list. */
function codesCsv(codes: readonly RedeemCode[]): string {
  const rows = codes.map((code) => csvRow(columns.map((column) => code[column])));
  return BYTE_ORDER_MARK + csvRow(columns) + rows.join('');
}
