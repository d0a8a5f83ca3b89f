import { parseDay } from '@linekeeper/contract/dates.ts';
import {
  type FoundLine,
  type FriendOption,
  friendOptions,
  numberOfUnnamed,
  summarise,
} from '@linekeeper/line-files/found-line.ts';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { AccountPicker } from '#domain/accounts/account-picker.tsx';
import { serverChoicesQuery, takesLines } from '#domain/servers/server-choices.ts';
import { FieldFrame } from '#kit/forms/fields/field-frame.tsx';
import { DayBox } from '#kit/forms/pickers/day-picker.tsx';
import { Card } from '#kit/ui/card.tsx';
import { CheckboxField } from '#kit/ui/controls/checkbox.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { useMe } from '#platform/data/session.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { ChoiceSelect } from './choice-select.tsx';
import { type Draft, hasMonths } from './draft.ts';
import { DateChoice, StateChoices } from './file-choices.tsx';

interface FoundCardProps {
  draft: Draft;
  lines: readonly FoundLine[];
  onChange: (draft: Draft) => void;
}

/** Rows that are shown, at most, because nobody would read more. */
const MOST_ROWS = 50;

function rowsText(rows: readonly number[]): string {
  const named = rows.slice(0, MOST_ROWS).join(', ');
  return rows.length > MOST_ROWS ? `${named}, …` : named;
}

/**
 * The results of reading a file, before its rows are checked: notices about settings that are not
 * imported, and the questions that the importer has to answer.
 */
export function FoundCard({ draft, lines, onChange }: FoundCardProps) {
  const { t } = useTranslation('bulk');
  const { is_admin } = useMe();
  const { endless } = summarise(lines);
  const isTable = draft.file.format === 'csv';
  const asksForDay = endless.length > 0 && !draft.mapping.includes('subscription_months');
  const asksForServer = !draft.mapping.includes('server');
  return (
    <Card title={t('import.found')}>
      <div className="grid grid-cols-1 gap-4">
        <Notices draft={draft} lines={lines} isTable={isTable} />
        <Names draft={draft} lines={lines} />
        <SwitchedOff draft={draft} onChange={onChange} />
        <StateChoices draft={draft} lines={lines} onChange={onChange} />
        <DateChoice draft={draft} lines={lines} onChange={onChange} />
        {hasMonths(draft) && <ExtendLines draft={draft} onChange={onChange} />}
        {is_admin && <AdoptLines draft={draft} onChange={onChange} />}
        {is_admin && !draft.mapping.includes('owner') && (
          <OwnerChoice draft={draft} onChange={onChange} />
        )}
        {asksForServer && <ServerChoice draft={draft} onChange={onChange} />}
        {asksForDay && <LastDay draft={draft} rows={endless} onChange={onChange} />}
      </div>
    </Card>
  );
}

function isFriendOption(kind: string): kind is FriendOption {
  return friendOptions.some((option) => option === kind);
}

function Notices({
  draft,
  lines,
  isTable,
}: Omit<FoundCardProps, 'onChange'> & { isTable: boolean }) {
  const { t } = useTranslation('bulk');
  const { notTaken, notAscii, unwrapped, addedUnclear } = summarise(lines);
  const isCccam = draft.file.format === 'cccam';
  const kinds = notTaken.map(({ kind, count }) => {
    const column = isTable ? numberOfUnnamed(kind) : null;
    const heading = column === null ? isolate(kind) : t('import.column', { number: column });
    const name = isCccam && isFriendOption(kind) ? t(`import.option.${kind}`) : heading;
    return t('import.kind', { name, number: count });
  });
  return (
    <>
      {kinds.length > 0 && (
        <Banner
          tone="warning"
          title={t(isTable ? 'import.columnsNotTaken' : 'import.settingsNotTaken')}
        >
          <p>{kinds.join(', ')}</p>
          {isTable && <p>{t('import.columnsMayBeOff')}</p>}
        </Banner>
      )}
      {notAscii.length > 0 && (
        <Banner tone="warning" title={t('import.notAscii', { rows: rowsText(notAscii) })} />
      )}
      {unwrapped.length > 0 && (
        <Banner tone="info" title={t('import.unwrapped', { rows: rowsText(unwrapped) })} />
      )}
      {addedUnclear.length > 0 && (
        <Banner
          tone="warning"
          title={t('import.addedUnclear', {
            rows: rowsText(addedUnclear),
          })}
        />
      )}
    </>
  );
}

/** Groups of names that are shown, at most, because nobody would read more. */
const MOST_GROUPS = 20;

/** The names that a sale would refuse. If an existing line of a card server has one, it can still be adopted. */
function Names({ draft, lines }: Omit<FoundCardProps, 'onChange'>) {
  const { t } = useTranslation('bulk');
  const { is_admin } = useMe();
  const { data: servers = [] } = useQuery(serverChoicesQuery());
  const { namesCut, namesAlike } = summarise(lines);
  const chosen = servers.find(({ id }) => id === draft.server_id);
  if (namesCut.length + namesAlike.length === 0 || chosen?.protocol === 'NewCamd') return null;
  const [first, ...more] = [
    ...(namesCut.length > 0 ? [t('import.namesCut', { rows: rowsText(namesCut) })] : []),
    ...namesAlike
      .slice(0, MOST_GROUPS)
      .map((rows) => t('import.namesAlike', { rows: rowsText(rows) })),
  ];
  return (
    <Banner tone="warning" title={first ?? ''}>
      {more.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {!draft.adopts && <p>{t('import.namesRefused')}</p>}
      {is_admin && !draft.adopts && <p>{t('import.namesAdopted')}</p>}
    </Banner>
  );
}

type ChoiceProps = Pick<FoundCardProps, 'draft' | 'onChange'>;

function SwitchedOff({ draft, onChange }: ChoiceProps) {
  const { t } = useTranslation('bulk');
  const { file, takesSwitchedOff } = draft;
  if (file.format === 'csv' || file.switchedOffRows.length === 0) return null;
  const { switchedOffRows, switchedOff } = file;
  return (
    <>
      {!takesSwitchedOff && (
        <Banner
          tone="warning"
          title={t('import.switchedOff', { rows: rowsText(switchedOffRows) })}
        />
      )}
      {switchedOff.length > 0 && (
        <CheckboxField
          checked={takesSwitchedOff}
          onChange={(isTaken) => onChange({ ...draft, takesSwitchedOff: isTaken })}
        >
          {t('import.takeSwitchedOff')}
        </CheckboxField>
      )}
    </>
  );
}

function ExtendLines({ draft, onChange }: ChoiceProps) {
  const { t } = useTranslation('bulk');
  return (
    <div>
      <CheckboxField
        checked={draft.extendsExisting}
        onChange={(extendsExisting) => onChange({ ...draft, extendsExisting })}
      >
        {t('import.extend')}
      </CheckboxField>
      {draft.extendsExisting && (
        <p className="text-text-2 type-caption">{t('import.extendHint')}</p>
      )}
    </div>
  );
}

function AdoptLines({ draft, onChange }: ChoiceProps) {
  const { t } = useTranslation('bulk');
  return (
    <div>
      <CheckboxField checked={draft.adopts} onChange={(adopts) => onChange({ ...draft, adopts })}>
        {t('import.adopt')}
      </CheckboxField>
      {draft.adopts && <p className="text-text-2 type-caption">{t('import.adoptHint')}</p>}
    </div>
  );
}

function OwnerChoice({ draft, onChange }: ChoiceProps) {
  const { t } = useTranslation('bulk');
  const id = useId();
  return (
    <div className="max-w-90 [&_.field-box]:max-w-none">
      <FieldFrame id={id} label={t('import.ownerForAll')}>
        <AccountPicker
          id={id}
          value={draft.owner}
          placeholder={t('import.ownOwner')}
          onChange={(owner) => onChange({ ...draft, owner })}
        />
      </FieldFrame>
    </div>
  );
}

function ServerChoice({ draft, onChange }: ChoiceProps) {
  const { t } = useTranslation('bulk');
  const id = useId();
  const { data: servers = [] } = useQuery(serverChoicesQuery());
  // A closed or full server accepts no new lines, but already has those that are adopted.
  const offered = draft.adopts ? servers : servers.filter(takesLines);
  if (offered.length < (draft.adopts ? 1 : 2)) return null;
  return (
    <div className="grid grid-cols-1 gap-1 max-w-90 [&_.field-box]:max-w-none">
      <label className="text-text-2 type-caption" htmlFor={id}>
        {t('import.serverForAll')}
      </label>
      <ChoiceSelect
        id={id}
        value={draft.server_id}
        none={t('import.newestServer')}
        options={offered.map(({ id: value, server_name }) => ({ value, text: server_name }))}
        onChange={(server_id) => onChange({ ...draft, server_id })}
      />
    </div>
  );
}

function LastDay({ draft, rows, onChange }: ChoiceProps & { rows: readonly number[] }) {
  const { t } = useTranslation('bulk');
  const id = useId();
  const { lastDay } = draft;
  const isWrong = lastDay.trim() !== '' && parseDay(lastDay.trim()) === null;
  return (
    <div className="grid grid-cols-1 gap-1 max-w-90 [&_.field-box]:max-w-none">
      <label className="text-text-2 type-caption" htmlFor={id}>
        {t('import.lastDay')}
      </label>
      <DayBox
        id={id}
        value={lastDay}
        aria-invalid={isWrong}
        onChange={(text) => onChange({ ...draft, lastDay: text })}
      />
      <p className="text-text-2 type-caption">
        {t('import.lastDayRows', { rows: rowsText(rows) })}
      </p>
    </div>
  );
}
