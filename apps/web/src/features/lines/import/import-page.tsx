import { lineDetailsWith } from '@linekeeper/contract/fields/line-details.ts';
import { type Mapping, withColumnMapped } from '@linekeeper/line-files/csv-columns.ts';
import { type LineField, lineFields } from '@linekeeper/line-files/faults.ts';
import type { TableFile } from '@linekeeper/line-files/read-file.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useHasPlans } from '#domain/prices/plans.ts';
import { useUnsavedGuard } from '#kit/forms/use-unsaved-guard.ts';
import type { Column } from '#kit/list/table/column.ts';
import { SmallTable } from '#kit/list/table/small-table.tsx';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Card } from '#kit/ui/card.tsx';
import { CheckboxField } from '#kit/ui/controls/checkbox.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { useMe } from '#platform/data/session.ts';
import { publicSettingsQuery } from '#platform/data/settings.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { AccountsImport } from './accounts/accounts-import.tsx';
import { ChoiceSelect } from './choice-select.tsx';
import { type Draft, draftOf, linesOf, withHeadings } from './draft.ts';
import { DryRun } from './dry-run.tsx';
import { FileCard } from './file-card.tsx';
import { FoundCard } from './found-card.tsx';
import { shownCell } from './import-fields.ts';

export function ImportPage() {
  const [draft, setDraft] = useState<Draft>();
  const release = useUnsavedGuard(draft !== undefined);
  const timeZone = useTimeZone();
  const found = useMemo(() => draft && linesOf(draft, timeZone), [draft, timeZone]);
  const lines = useMemo(() => found?.filter(({ isLeftOut }) => !isLeftOut), [found]);
  const { is_admin } = useMe();
  const accounts = is_admin ? draft?.file.accounts : null;
  return (
    <>
      <PageHeader />
      <div className="grid grid-cols-1 gap-6 phone:gap-4 max-w-240">
        <FileCard draft={draft} onRead={(file) => setDraft(file && draftOf(file))} />
        {accounts && <AccountsImport key={draft?.file.name} file={accounts} onOrdered={release} />}
        {draft?.file.format === 'csv' && !accounts && (
          <MappingCard
            file={draft.file}
            mapping={draft.mapping}
            onMap={(mapping) => setDraft({ ...draft, mapping })}
            onHeadings={(hasHeadings) => setDraft(withHeadings(draft, hasHeadings))}
          />
        )}
        {draft && found && lines && !accounts && (
          <>
            <FoundCard draft={draft} lines={found} onChange={setDraft} />
            <DryRun draft={draft} lines={lines} onOrdered={release} />
          </>
        )}
      </div>
    </>
  );
}

/** The time zone in which moments in a file become days: the panel's, and the browser's until that is known. */
function useTimeZone(): string {
  const { data } = useQuery(publicSettingsQuery());
  return data?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const SAMPLES = 3;

interface MappingCardProps {
  file: TableFile;
  mapping: Mapping;
  onMap: (mapping: Mapping) => void;
  onHeadings: (hasHeadings: boolean) => void;
}

/** A column of the file, identified by its position. */
interface MappedColumn {
  field: LineField | null;
  place: number;
}

function MappingCard({ file, mapping, onMap, onHeadings }: MappingCardProps) {
  const { t } = useTranslation('bulk');
  const { hasHeadings, headings, rows } = file;
  const samples = rows.slice(0, SAMPLES);
  const nameOf = (column: number) =>
    shownCell(headings[column] ?? '') || t('import.column', { number: column + 1 });
  const isPhone = useIsPhone();
  const hasPlans = useHasPlans();
  const offered = lineFields.filter(
    (name) => name !== 'plan' || hasPlans || mapping.includes(name),
  );
  const optionOf = (name: LineField) => ({
    value: name,
    text: name === 'price_minor' ? t('import.priceInHundredths') : t(`field.${name}`),
  });
  const fields = mapping.map((field, place) => ({ field, place }));
  const sample: Column<MappedColumn> = {
    id: 'sample',
    title: t('import.sample'),
    look: 'quiet',
    cell: ({ field, place }) => {
      const texts = samples.map(({ cells }) => isolate(shownCell(cells[place] ?? '')));
      return field === 'password' ? '••••••••' : texts.filter(Boolean).join(', ');
    },
  };
  const columns: Column<MappedColumn>[] = [
    {
      id: 'column',
      kind: 'name',
      title: t('import.inFile'),
      // The invisible spaces allow a line break after each underscore.
      cell: ({ place }) => <TypedText>{nameOf(place).replaceAll('_', '_\u200b')}</TypedText>,
    },
    {
      id: 'means',
      title: t('import.means'),
      cell: ({ field, place }) => (
        <ChoiceSelect
          label={t('import.meaningOf', { column: nameOf(place) })}
          value={field ?? ''}
          none={t('import.leaveOut')}
          options={offered.filter((name) => !isRare(name)).map(optionOf)}
          rare={{
            label: t('recurring.rare'),
            options: lineDetailsWith('isRare', true).map(optionOf),
          }}
          onChange={(chosen) => onMap(withColumnMapped(mapping, place, fieldCalled(chosen)))}
        />
      ),
    },
    ...(isPhone ? [] : [sample]),
  ];
  return (
    <Card title={t('field.columns')}>
      <CheckboxField checked={hasHeadings} onChange={onHeadings}>
        {t('import.hasHeadings')}
      </CheckboxField>
      <div className="mt-4 border border-divider rounded-[12px] overflow-hidden">
        <SmallTable columns={columns} rows={fields} rowId={({ place }) => place} />
      </div>
    </Card>
  );
}

const isRare = (name: LineField) => lineDetailsWith('isRare', true).some((rare) => rare === name);

function fieldCalled(name: string): LineField | null {
  return lineFields.find((field) => field === name) ?? null;
}
