import type { Account } from '@linekeeper/contract/accounts/accounts.ts';
import { banAccount, unbanAccount } from '@linekeeper/contract/accounts/bans.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useShowStoredJob } from '#domain/jobs/queries.ts';
import { banPreviewQuery } from '#features/accounts/queries.ts';
import { ConfirmAction } from '#kit/commands/confirm-action.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { CheckboxField } from '#kit/ui/controls/checkbox.tsx';
import { SummaryRows } from '#kit/ui/summary-rows.tsx';
import { results } from '#platform/state/results.ts';

interface BanDialogProps {
  account: Account;
  onClose: () => void;
}

/** The dialog that bans an account and, if chosen, suspends its lines and those of all accounts below. */
export function BanDialog({ account, onClose }: BanDialogProps) {
  const { t } = useTranslation('account');
  const { data: preview } = useQuery(banPreviewQuery(account.id));
  const [withLines, setWithLines] = useState(false);
  const { lines = 0, accounts = 0 } = preview ?? {};
  const ban = useCommand(banAccount, { params: { id: account.id }, refreshes: ['accounts'] });
  const number = (value: number) => t('number', { value });
  return (
    <ConfirmAction
      command={ban}
      content={{ suspend_lines: withLines }}
      tone="danger"
      title={t('ban.title', { name: nameOf(account) })}
      text={t('ban.text')}
      confirmLabel={withLines ? t('ban.withLines') : t('acts.ban')}
      done={useDone('ban', account)}
      onClose={onClose}
    >
      {lines > 0 && (
        <Choice
          checked={withLines}
          onChange={setWithLines}
          hint={t('ban.suspendHint', { lines, accounts })}
        >
          {t('ban.suspend')}
        </Choice>
      )}
      <h3 className="mt-4 mb-2">{t('ban.stays')}</h3>
      <SummaryRows
        look="facts"
        rows={[
          {
            label: t('nav.lines'),
            value: preview ? number(withLines ? 0 : lines) : '–',
          },
          { label: t('below.title'), value: number(account.subtree_count) },
          { label: t('nav.credits'), value: number(account.credits) },
        ]}
      />
    </ConfirmAction>
  );
}

/** The dialog that lifts a ban and, if chosen, resumes the lines that the ban suspended. */
export function UnbanDialog({ account, onClose }: BanDialogProps) {
  const { t } = useTranslation('account');
  const { data: preview } = useQuery(banPreviewQuery(account.id));
  const [withLines, setWithLines] = useState(true);
  const suspended = preview?.suspended ?? 0;
  const resumes = withLines && suspended > 0;
  const unban = useCommand(unbanAccount, { params: { id: account.id }, refreshes: ['accounts'] });
  return (
    <ConfirmAction
      command={unban}
      content={{ resume_lines: resumes }}
      title={t('unban.title', { name: nameOf(account) })}
      text={t('unban.text')}
      confirmLabel={resumes ? t('unban.withLines') : t('acts.unban')}
      done={useDone('unban', account)}
      onClose={onClose}
    >
      {suspended > 0 && (
        <Choice
          checked={withLines}
          onChange={setWithLines}
          hint={
            <>
              {t('unban.resumeHint')}{' '}
              <Link
                to="/users/all"
                search={{ status: 'suspended', owner: account.id }}
                className="link"
              >
                {t('unban.showSuspended')}
              </Link>
            </>
          }
        >
          {t('unban.resume', { count: suspended })}
        </Choice>
      )}
    </ConfirmAction>
  );
}

const nameOf = ({ full_name, email }: Account) => full_name || email;

interface ChoiceProps {
  checked: boolean;
  onChange: (isChecked: boolean) => void;
  hint: ReactNode;
  children: ReactNode;
}

function Choice({ hint, ...checkbox }: ChoiceProps) {
  return (
    <div className="mt-4 [&_p]:ps-7.5">
      <CheckboxField {...checkbox} />
      <p className="text-text-2 type-caption">{hint}</p>
    </div>
  );
}

/** Shows the result, and the jobs that were started. */
function useDone(act: 'ban' | 'unban', account: Account) {
  const { t } = useTranslation('account');
  const showJob = useShowStoredJob();
  return ({ job_ids }: { job_ids: string[] }) => {
    results.success(t(`${act}.done`, { name: nameOf(account) }));
    for (const id of job_ids) void showJob(id);
  };
}
