import type { Account } from '@linekeeper/contract/accounts/accounts.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSend } from '../../../shared/forms/use-send.ts';
import { isolate } from '../../../shared/i18n/isolate.ts';
import { useErrorText } from '../../../shared/i18n/use-error-text.ts';
import { useShowStoredJob } from '../../../shared/jobs/queries.ts';
import { toast } from '../../../shared/state/toast.ts';
import { CheckboxField } from '../../../shared/ui/controls/checkbox-field.tsx';
import { ConfirmDialog } from '../../../shared/ui/dialogs/confirm-dialog.tsx';
import { Banner } from '../../../shared/ui/states/banner.tsx';
import { SummaryRows } from '../../../shared/ui/summary-rows.tsx';
import styles from '../accounts.module.css';
import { banPreviewQuery, useBan, useUnban } from '../queries.ts';

interface BanDialogProps {
  account: Account;
  onClose: () => void;
}

/** Bans an account, on wish together with its lines and those of all below it. */
export function BanDialog({ account, onClose }: BanDialogProps) {
  const { t } = useTranslation('account');
  const { t: common } = useTranslation();
  const { data: preview } = useQuery(banPreviewQuery(account.id));
  const [withLines, setWithLines] = useState(false);
  const { lines = 0, accounts = 0 } = preview ?? {};
  const { error, ...change } = useChange('ban', account, useBan(account.id).mutateAsync, onClose);
  const number = (value: number) => common('number', { value });
  return (
    <ConfirmDialog
      open
      tone="danger"
      title={t('ban.title', { name: nameOf(account) })}
      text={t('ban.text')}
      confirmLabel={withLines ? t('ban.withLines', { count: lines }) : t('acts.ban')}
      pending={change.isPending}
      onConfirm={() => void change.send({ suspend_lines: withLines })}
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
      <h3 className={styles.staysTitle}>{t('ban.stays')}</h3>
      <SummaryRows
        look="facts"
        rows={[
          {
            label: t('ban.lines'),
            value: preview ? number(withLines ? 0 : lines) : '–',
          },
          { label: t('ban.below'), value: number(account.subtree_count) },
          { label: t('ban.credits'), value: number(account.credits) },
        ]}
      />
      {error}
    </ConfirmDialog>
  );
}

/** Lifts a ban, and resumes the lines that it suspended. */
export function UnbanDialog({ account, onClose }: BanDialogProps) {
  const { t } = useTranslation('account');
  const { data: preview } = useQuery(banPreviewQuery(account.id));
  const [withLines, setWithLines] = useState(true);
  const suspended = preview?.suspended ?? 0;
  const resumes = withLines && suspended > 0;
  const { error, ...change } = useChange(
    'unban',
    account,
    useUnban(account.id).mutateAsync,
    onClose,
  );
  return (
    <ConfirmDialog
      open
      title={t('unban.title', { name: nameOf(account) })}
      text={t('unban.text')}
      confirmLabel={resumes ? t('unban.withLines', { count: suspended }) : t('acts.unban')}
      pending={change.isPending}
      onConfirm={() => void change.send({ resume_lines: resumes })}
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
      {error}
    </ConfirmDialog>
  );
}

const nameOf = ({ full_name, email }: Account) => isolate(full_name || email);

interface ChoiceProps {
  checked: boolean;
  onChange: (isChecked: boolean) => void;
  hint: ReactNode;
  children: ReactNode;
}

function Choice({ hint, ...checkbox }: ChoiceProps) {
  return (
    <div className={styles.choice}>
      <CheckboxField {...checkbox} />
      <p>{hint}</p>
    </div>
  );
}

/** Sends the change, shows the jobs that it started, and says where it was refused. */
function useChange<Content>(
  act: 'ban' | 'unban',
  account: Account,
  send: Parameters<typeof useSend<Content, { job_ids: string[] }>>[0]['send'],
  onClose: () => void,
) {
  const { t } = useTranslation('account');
  const errorText = useErrorText();
  const showJob = useShowStoredJob();
  const change = useSend<Content, { job_ids: string[] }>({
    send,
    onSuccess: ({ job_ids }) => {
      onClose();
      toast.success(t(`${act}.done`, { name: nameOf(account) }));
      for (const id of job_ids) void showJob(id);
    },
  });
  return {
    ...change,
    error: change.error !== null && (
      <div className={styles.refusal}>
        <Banner tone="error" title={errorText(change.error)} isAlert />
      </div>
    ),
  };
}
