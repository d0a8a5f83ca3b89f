import {
  type ImportedAccount,
  importAccounts,
} from '@linekeeper/contract/accounts/import-accounts.ts';
import type { Body } from '@linekeeper/contract/endpoint.ts';
import { MAX_IMPORT_ACCOUNTS } from '@linekeeper/contract/lines/import-limits.ts';
import { useNavigate } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AccountPicker } from '#domain/accounts/account-picker.tsx';
import type { NamedAccount } from '#domain/accounts/accounts.ts';
import { DownloadProblems } from '#features/lines/import/problem-rows.tsx';
import type { AccountsFile, FoundAccount } from '#features/lines/import/read-accounts.ts';
import {
  CheckedRows,
  Failed,
  ImportActions,
  OnlyValid,
  RefusedRow,
} from '#features/lines/import/result-parts.tsx';
import { faultError } from '#features/lines/import/row-reason.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { FieldFrame } from '#kit/forms/fields/field-frame.tsx';
import type { Column } from '#kit/list/table/column.ts';
import { Badge } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { isolate } from '#platform/i18n/isolate.ts';
import { results } from '#platform/state/results.ts';

function refusedByFile({ number, row, fault }: FoundAccount): ImportedAccount[] {
  if (!fault) return [];
  const item = { position: number, email: row.email?.slice(0, 100) ?? '', owner_email: null };
  return [{ ...item, outcome: 'refused', credits: 0, differing: [], error: faultError(fault) }];
}

interface AccountsImportProps {
  file: AccountsFile;
  onOrdered: () => void;
}

/**
 * The import of a file whose rows are accounts: a check of all rows, then a button that creates the accounts with their
 * credits together.
 */
export function AccountsImport({ file, onOrdered }: AccountsImportProps) {
  const { t } = useTranslation('bulk');
  const [owner, setOwner] = useState<NamedAccount | null>(null);
  const id = useId();
  const { ignored, accounts } = file;
  const isTooLong = accounts.length > MAX_IMPORT_ACCOUNTS;
  const count = { count: accounts.length, maximum: MAX_IMPORT_ACCOUNTS };
  return (
    <>
      <Card title={t('import.found')}>
        <div className="grid grid-cols-1 gap-4">
          <p>{t('import.accounts.found')}</p>
          {ignored.length > 0 && (
            <Banner tone="warning" title={t('import.columnsNotTaken')}>
              <p>{ignored.map(isolate).join(', ')}</p>
            </Banner>
          )}
          {isTooLong && <Banner isAlert tone="error" title={t('import.tooMany', count)} />}
          <div className="max-w-90 [&_.field-box]:max-w-none">
            <FieldFrame id={id} label={t('import.accounts.owner')}>
              <AccountPicker
                id={id}
                value={owner}
                placeholder={t('import.accounts.top')}
                onChange={setOwner}
              />
            </FieldFrame>
          </div>
        </div>
      </Card>
      {accounts.length > 0 && !isTooLong && (
        <Check key={owner?.id} file={file} owner_id={owner?.id} onOrdered={onOrdered} />
      )}
    </>
  );
}

function Check({ file, owner_id, onOrdered }: AccountsImportProps & { owner_id?: string }) {
  const { t } = useTranslation('bulk');
  const navigate = useNavigate();
  const [items, setItems] = useState<ImportedAccount[]>();
  const check = useCommand(importAccounts, { isRepeatable: true, isSilent: true });
  const order = useCommand(importAccounts, { isSilent: true, refreshes: ['accounts', 'me'] });
  const body = useMemo((): Body<typeof importAccounts> => {
    const sound = file.accounts.filter(({ fault }) => fault === null);
    return {
      rows: sound.map(({ row }) => row),
      row_numbers: sound.map(({ number }) => number),
      ...(owner_id && { owner_id }),
    };
  }, [file, owner_id]);
  const refused = file.accounts.flatMap(refusedByFile);
  const checkRows = () => {
    if (body.rows.length === 0) return setItems(refused);
    const done = (reply: { items: ImportedAccount[] }) => {
      const all = [...reply.items, ...refused];
      setItems(all.sort((one, other) => one.position - other.position));
    };
    void check.send({ ...body, preview: true }, { done });
  };
  const orderRows = (count: number) =>
    void order.send(
      { ...body, only_valid: true },
      {
        done: () => {
          onOrdered();
          results.success(t('import.accounts.done', { count }));
          void navigate({ to: '/accounts' });
        },
      },
    );
  return (
    <>
      <Failed error={order.error ?? check.error} />
      {items ? (
        <Result file={file} items={items} isOrdering={order.isPending} onImport={orderRows} />
      ) : (
        <ImportActions>
          <p className="text-text-2 type-caption">{t('import.dryRunHint')}</p>
          <Button variant="solid" pending={check.isPending} onClick={checkRows}>
            {t('import.dryRun')}
          </Button>
        </ImportActions>
      )}
    </>
  );
}

interface ResultProps {
  file: AccountsFile;
  items: ImportedAccount[];
  isOrdering: boolean;
  onImport: (count: number) => void;
}

function Result({ file, items, isOrdering, onImport }: ResultProps) {
  const { t } = useTranslation('bulk');
  const [onlyValid, setOnlyValid] = useState(false);
  const fresh = items.filter(({ outcome }) => outcome === 'new');
  const refused = items.filter(({ outcome }) => outcome === 'refused');
  const credits = fresh.reduce((sum, item) => sum + item.credits, 0);
  const canImport = fresh.length > 0 && (refused.length === 0 || onlyValid);
  return (
    <Card title={t('import.result')}>
      <div className="grid grid-cols-1 gap-4">
        <div className="flex items-center flex-wrap justify-between gap-y-0 gap-x-4">
          <p role="status">
            <b>
              {t('import.accounts.new', { count: fresh.length })}
              {refused.length > 0 && `, ${t('import.invalid', { count: refused.length })}`}
            </b>
          </p>
          {refused.length > 0 && <DownloadProblems file={file} items={refused} />}
        </div>
        <Rows items={items} />
        {refused.length > 0 && fresh.length > 0 && (
          <OnlyValid value={onlyValid} onChange={setOnlyValid} />
        )}
        <ImportActions>
          <p className="text-text-2 type-caption">
            {credits > 0 && t('import.accounts.credits', { count: credits })}
          </p>
          <Button
            variant="solid"
            pending={isOrdering}
            disabled={!canImport}
            onClick={() => onImport(fresh.length)}
          >
            {t('import.accounts.create')}
          </Button>
        </ImportActions>
      </div>
    </Card>
  );
}

function Rows({ items }: { items: ImportedAccount[] }) {
  const { t } = useTranslation('bulk');
  const columns: Column<ImportedAccount>[] = [
    {
      id: 'email',
      kind: 'name',
      title: t('field.email'),
      cell: ({ email }) => <TypedText>{email}</TypedText>,
    },
    {
      id: 'credits',
      title: t('nav.credits'),
      align: 'end',
      cell: ({ outcome, credits }) => (outcome === 'new' ? t('number', { value: credits }) : ''),
    },
    { id: 'result', title: t('field.result'), cell: (item) => <Becomes item={item} /> },
  ];
  return <CheckedRows items={items} columns={columns} />;
}

function Becomes({ item }: { item: ImportedAccount }) {
  const { t } = useTranslation('bulk');
  const { outcome, owner_email, differing } = item;
  if (outcome === 'refused') return <RefusedRow error={item.error} />;
  if (outcome === 'new') {
    return (
      <Badge tone="success" icon={<CircleCheck />}>
        {owner_email
          ? t('import.accounts.below', { email: owner_email })
          : t('import.accounts.atTop')}
      </Badge>
    );
  }
  const fields = differing.map((field) => t(`import.accounts.field.${field}`)).join(', ');
  return outcome === 'same' ? (
    <Badge tone="neutral">{t('import.accounts.same')}</Badge>
  ) : (
    <Badge tone="warning">{t('import.accounts.differs', { fields })}</Badge>
  );
}
