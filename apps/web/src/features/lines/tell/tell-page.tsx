import { languages } from '@linekeeper/contract/languages.ts';
import {
  type Customer,
  type CustomersOfAccount,
  type JobCustomers,
  jobCustomers,
  markTold,
} from '@linekeeper/contract/lines/customers.ts';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ChevronDown, CircleCheck, Download } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { customersAddress } from '#domain/jobs/queries.ts';
import { ShareButton } from '#domain/lines/share-button.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Button, buttonLook } from '#kit/ui/buttons/button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { Checkbox } from '#kit/ui/controls/checkbox.tsx';
import { RadioPill } from '#kit/ui/controls/pills.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { call } from '#platform/api/client.ts';
import { formatSince } from '#platform/format/format-moment.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { CopyText } from './copy-text.tsx';
import { type ReadyText, ReadyTextCard, useReadyText } from './ready-text.tsx';

/**
 * The page of customers to notify after a move or a new address, each with a prepared text; for
 * administrators it begins with the owners' accounts.
 */
export function TellPage() {
  const { id } = useParams({ from: '/shell/users/tell/$id' });
  const [told, setTold] = useState(false);
  const [owner, setOwner] = useState<string>();
  const query = useInfiniteQuery(customersQuery(id, { told, owner }));
  const { data, error, refetch } = query;
  const [job] = data?.pages ?? [];
  const text = useReadyText(job?.accounts ?? []);
  const mark = useCommand(markTold, {
    input: (body: { line_ids: string[]; is_told: boolean }) => ({ params: { id }, body }),
    refreshes: ['jobs'],
    isRepeatable: true,
  });
  const markOne = ({ line_id }: Customer, is_told: boolean) =>
    void mark.send({ line_ids: [line_id], is_told });
  if (!job) return error && <FailedPanel error={error} onRetry={() => void refetch()} />;
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  const one = job.accounts.find(({ account_id }) => account_id === owner) ?? job;
  const hasAccounts = job.accounts.length > 1 && owner === undefined;
  return (
    <>
      <TellHeader id={id} job={job} />
      {job.is_undone && <Undone />}
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,360px)] items-start gap-6 tablet:grid-cols-1">
        {hasAccounts ? (
          <Accounts accounts={job.accounts} onOpen={setOwner} />
        ) : (
          <Card flush aria-label={'name' in one ? one.name : undefined}>
            <Head
              {...{ one, told, setTold }}
              onBack={owner ? () => setOwner(undefined) : undefined}
            />
            {one.told === one.lines && !told && <AllTold />}
            <ul className="divided [&>li]:min-h-16 [&>li]:py-2.5 [&>li]:px-(--card-pad) [&>li]:phone:flex-wrap">
              {items.map((customer) => (
                <CustomerRow
                  key={customer.line_id}
                  customer={customer}
                  text={text}
                  onMark={(is_told) => markOne(customer, is_told)}
                />
              ))}
            </ul>
            {query.hasNextPage && <More onMore={() => void query.fetchNextPage()} />}
          </Card>
        )}
        {items[0] && (
          <ReadyTextCard
            text={text}
            first={items[0]}
            onTold={(customer) => markOne(customer, true)}
          />
        )}
      </div>
    </>
  );
}

function TellHeader({ id, job }: { id: string; job: JobCustomers }) {
  const { t, i18n } = useTranslation('bulk');
  const { action, by, from_server, to_server, at, lines } = job;
  const isMove = action !== 'readdress' && from_server !== null && to_server !== null;
  const facts = {
    by: isolate(by ?? t('tell.administrator')),
    from: isolate(from_server ?? ''),
    to: isolate(to_server ?? ''),
    time: formatSince(Date.parse(at), i18n.language),
  };
  return (
    <PageHeader
      title={t('tell.title', { count: lines })}
      text={t(isMove ? 'tell.moved' : 'tell.changed', facts)}
      actions={
        <a {...buttonLook({})} href={customersAddress(id)} download>
          <Download aria-hidden="true" />
          {t('action.downloadCsv')}
        </a>
      }
    />
  );
}

function Undone() {
  const { t } = useTranslation('bulk');
  return (
    <div className="flex items-center mb-4">
      <Banner tone="warning" title={t('tell.undone')} />
    </div>
  );
}

interface AccountsProps {
  accounts: readonly CustomersOfAccount[];
  onOpen: (id: string) => void;
}

/** The accounts whose customers have to be notified; each opens to its lines. */
function Accounts({ accounts, onOpen }: AccountsProps) {
  const { t } = useTranslation('bulk');
  return (
    <Card flush title={t('recurring.accounts')}>
      <ul className="divided [&>li]:min-h-16 [&>li]:py-2.5 [&>li]:px-(--card-pad) [&>li]:phone:flex-wrap">
        {accounts.map(({ account_id, name, lines, told }) => (
          <li className="flex items-center gap-4" key={account_id}>
            <span className="grid grid-cols-1 flex-1 min-w-0 wrap-anywhere">
              <b className="type-strong">
                <TypedText>{name}</TypedText>
              </b>
              <span className="text-text-2 type-caption">
                {t('tell.toldOf', { told, count: lines })}
              </span>
            </span>
            <Button
              size="small"
              aria-label={`${t('bell.open')}: ${isolate(name)}`}
              onClick={() => onOpen(account_id)}
            >
              {t('bell.open')}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface HeadProps {
  one: Pick<CustomersOfAccount, 'lines' | 'told'>;
  told: boolean;
  setTold: (told: boolean) => void;
  onBack: (() => void) | undefined;
}

function Head({ one, told, setTold, onBack }: HeadProps) {
  const { t } = useTranslation('bulk');
  const name = useId();
  return (
    <fieldset className="flex items-center flex-wrap gap-2 pt-4 px-(--card-pad) pb-3">
      <legend className="visually-hidden">{t('tell.show')}</legend>
      <RadioPill size="small" name={name} checked={!told} onChange={() => setTold(false)}>
        {t('tell.toTell', { count: one.lines - one.told })}
      </RadioPill>
      <RadioPill size="small" name={name} checked={told} onChange={() => setTold(true)}>
        {t('tell.told', { count: one.told })}
      </RadioPill>
      {onBack && (
        <Button variant="text" size="small" onClick={onBack}>
          {t('recurring.accounts')}
        </Button>
      )}
    </fieldset>
  );
}

function More({ onMore }: { onMore: () => void }) {
  const { t } = useTranslation('bulk');
  return (
    <div className="flex items-center mt-3 pt-4 px-(--card-pad) pb-3">
      <Button size="small" onClick={onMore}>
        {t('recurring.more')}
      </Button>
    </div>
  );
}

function AllTold() {
  const { t } = useTranslation('bulk');
  return (
    <div
      className="grid grid-cols-1 items-center gap-2 pt-6 px-(--card-pad) pb-8 text-center"
      role="status"
    >
      <CircleCheck size={40} color="var(--color-success-fg)" aria-hidden="true" />
      <b className="type-strong">{t('tell.allTold')}</b>
    </div>
  );
}

interface CustomerRowProps {
  customer: Customer;
  text: ReadyText;
  onMark: (isTold: boolean) => void;
}

/**
 * A customer to notify: a checkbox for "notified", and buttons to share or copy the text in the customer's language.
 */
function CustomerRow({ customer, text, onMark }: CustomerRowProps) {
  const { t } = useTranslation('bulk');
  const { username, name, notes, told_at } = customer;
  const about = name || notes;
  return (
    <li className="flex items-center gap-4 phone:gap-3">
      <Checkbox
        label={t('tell.markOf', { username })}
        checked={told_at !== null}
        onChange={({ target }) => onMark(target.checked)}
      />
      <span className="grid grid-cols-1 flex-1 min-w-0 wrap-anywhere">
        <b className="type-strong">
          <TypedText>{username}</TypedText>
        </b>
        {about && (
          <span className="text-text-2 type-caption truncate">
            <TypedText>{about}</TypedText>
          </span>
        )}
      </span>
      <div className="flex items-center gap-2 flex-none phone:flex-[1_0_100%] phone:justify-end">
        <LanguageOf customer={customer} text={text} />
        <CopyText
          size="small"
          label={t('tell.copyOf', { username })}
          getText={() => text.textFor(customer)}
          onCopied={() => onMark(true)}
        />
        <ShareButton
          size="small"
          label={t('tell.shareOf', { username })}
          getText={() => text.textFor(customer)}
          onShared={() => onMark(true)}
        />
      </div>
    </li>
  );
}

/** The language of one customer's text: the language for all, until another is chosen. */
function LanguageOf({ customer, text }: Pick<CustomerRowProps, 'customer' | 'text'>) {
  const { t } = useTranslation('bulk');
  const { username, line_id } = customer;
  return (
    <span className="field-box relative flex items-center w-auto h-8 p-0 [&_option]:text-text phone:h-11">
      <select
        className="h-full pt-0 pr-7 pb-0 pl-3 [appearance:none] cursor-pointer"
        aria-label={t('tell.languageOf', { username })}
        value={text.languageOf(customer)}
        onChange={({ target }) => {
          const chosen = languages.find((one) => one === target.value);
          if (chosen) text.setLanguageOf(line_id, chosen);
        }}
      >
        {languages.map((one) => (
          <option key={one} value={one} lang={one}>
            {one.toUpperCase()}
          </option>
        ))}
      </select>
      <ChevronDown className="absolute end-2 pointer-events-none" size={16} />
    </span>
  );
}

interface Asked {
  told: boolean;
  owner: string | undefined;
}

/**
 * The query of the customers of a job who must be notified. Events about jobs make it stale, such as another person's
 * mark.
 */
const customersQuery = (id: string, { told, owner }: Asked) =>
  infiniteQueryOptions({
    queryKey: ['jobs', 'customers', id, told, owner],
    queryFn: ({ pageParam, signal }) => {
      const query = { told: told ? 'true' : 'false', after: String(pageParam) } as const;
      const ask = { params: { id }, query: { ...query, ...(owner && { owner_id: owner }) } };
      return call(jobCustomers, ask, { signal });
    },
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
