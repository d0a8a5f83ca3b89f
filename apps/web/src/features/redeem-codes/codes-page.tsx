import {
  deleteRedeemCode,
  editRedeemCode,
  listRedemptions,
  type RedeemCode,
} from '@linekeeper/contract/credits/redeem-codes.ts';
import { useQuery } from '@tanstack/react-query';
import { History, Pencil, Plus, Power, Tickets, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { useIsPhone } from '../../shared/browser/use-is-phone.ts';
import { ConfirmAction } from '../../shared/commands/confirm-action.tsx';
import { useCommand } from '../../shared/commands/use-command.ts';
import { expiryOf } from '../../shared/forms/day-and-time.ts';
import { TextInput } from '../../shared/forms/fields/text-input.tsx';
import { FormDialog } from '../../shared/forms/form-dialog.tsx';
import { FormProblems } from '../../shared/forms/form-problems.tsx';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../shared/forms/use-submit.ts';
import { PageHeader } from '../../shared/layout/page-header.tsx';
import { column, type ListColumn } from '../../shared/list/columns.tsx';
import { Found } from '../../shared/list/found.tsx';
import { ListPage } from '../../shared/list/list-page.tsx';
import { ListRows } from '../../shared/list/list-rows.tsx';
import { PlainList } from '../../shared/list/plain-list.tsx';
import { toast } from '../../shared/state/toast.ts';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { ButtonLink } from '../../shared/ui/buttons/button-link.tsx';
import { CopyButton } from '../../shared/ui/buttons/copy-button.tsx';
import { DialogText, InfoDialog } from '../../shared/ui/dialogs/dialog-parts.tsx';
import { MoreMenu } from '../../shared/ui/overlays/more-menu.tsx';
import { EmptyPanel } from '../../shared/ui/states/empty-panel.tsx';
import { FailedPanel } from '../../shared/ui/states/failed-panel.tsx';
import { Timestamp } from '../../shared/ui/timestamp.tsx';
import { TypedText } from '../../shared/ui/typed-text.tsx';
import { useNeedsConnection } from '../../shared/ui/use-needs-connection.ts';
import { Row, Stack } from '../../shared/ui/vocabulary.tsx';
import { CodeFields, editCodeForm, expiryValues } from './code-fields.tsx';
import styles from './codes.module.css';
import { redeemCodes, statusTones } from './codes-list.ts';
import { ListFiles } from './list-files.tsx';
import { Outcome } from './outcome.tsx';

export function RedeemCodesPage() {
  const { t } = useTranslation('redeemCodes');
  const add = (
    <ButtonLink to="/redeem-codes/add" variant="solid" icon={<Plus aria-hidden="true" />}>
      {t('addCodes')}
    </ButtonLink>
  );
  return (
    <ListPage
      list={redeemCodes}
      header={
        <PageHeader
          actions={
            <>
              <ListFiles />
              {add}
            </>
          }
        />
      }
      firstUse={
        <EmptyPanel icon={<Tickets />} title={t('firstTitle')} text={t('firstText')} action={add} />
      }
    >
      {(rows) => <ListRows {...rows} columns={columns} Actions={CodeActions} />}
    </ListPage>
  );
}

const columns: ListColumn<RedeemCode>[] = [
  column.name('code', ({ code }) => <Code code={code} />, {
    sortBy: 'code',
    // A code is of no use when it is cut.
    width: { size: 288, min: 288, scrolled: 288 },
  }),
  column.count('credits', ({ credits }) => credits, { sortBy: 'credits', look: 'strong' }),
  column.text(
    'label',
    ({ description }) => description && <Found text={description} className={styles.cut} />,
    { inCard: 'bare' },
  ),
  column.count('uses', (code) => <Uses code={code} />, { sortBy: 'times_used' }),
  column.moment('expires', ({ expires_at }) => expires_at, { sortBy: 'expires_at' }),
  column.status('status', ({ status }) => status, statusTones, { inCard: 'bare' }),
  column.moment('created', ({ created_at }) => created_at, { sortBy: 'created_at' }),
];

function Code({ code }: { code: string }) {
  const { t } = useTranslation('redeemCodes');
  return (
    <Row as="span" gap={4} className={styles.code}>
      <Found text={code} className={styles.cut} />
      <CopyButton value={code} label={t('copy', { code })} />
    </Row>
  );
}

function Uses({ code: { times_used: used, max_uses: maximum } }: { code: RedeemCode }) {
  return useTranslation('redeemCodes').t('usesOf', { used, maximum });
}

/** Menu of a code: on and off, edit, history, delete. On a phone there is room for a button beside it. */
function CodeActions({ row: stored }: { row: RedeemCode }) {
  const { t } = useTranslation('redeemCodes');
  const blocked = useNeedsConnection();
  const [asked, setAsked] = useState<'edit' | 'history' | 'delete' | null>(null);
  const isPhone = useIsPhone();
  const { id, code, is_active } = stored;
  const ofCode = { params: { id }, refreshes: ['redeem-codes'] } as const;
  const deletion = useCommand(deleteRedeemCode, ofCode);
  const edit = useCommand(editRedeemCode, {
    ...ofCode,
    done: () => toast.success(t(is_active ? 'turn.offDone' : 'turn.onDone', { code })),
  });
  const turn = () => void edit.send({ is_active: !is_active });
  const turnText = t(is_active ? 'turn.off' : 'turn.on');
  const close = () => setAsked(null);
  return (
    <>
      {isPhone && (
        <Button variant="soft" blocked={blocked} pending={edit.isPending} onClick={turn}>
          {turnText}
        </Button>
      )}
      <MoreMenu
        label={t('moreActions', { code })}
        blocked={blocked}
        entries={[
          !isPhone && { name: 'turn', icon: Power, text: turnText, act: turn },
          { name: 'edit', icon: Pencil, text: t('edit.action'), act: () => setAsked('edit') },
          {
            name: 'history',
            icon: History,
            text: t('history.action'),
            act: () => setAsked('history'),
          },
          { name: 'delete', icon: Trash2, text: t('delete.action'), act: () => setAsked('delete') },
        ]}
      />
      {asked === 'edit' && <EditCodeDialog code={stored} onClose={close} />}
      {asked === 'history' && <CodeHistoryDialog code={stored} onClose={close} />}
      {asked === 'delete' && (
        <ConfirmAction
          command={deletion}
          tone="danger"
          title={t('delete.title', { code })}
          text={t('delete.text')}
          confirmLabel={t('delete.confirm')}
          done={() => toast.success(t('delete.done', { code }))}
          onClose={close}
        />
      )}
    </>
  );
}

const MOST_SHOWN = 100;

interface CodeHistoryDialogProps {
  code: RedeemCode;
  onClose: () => void;
}

function CodeHistoryDialog({ code: { id, code }, onClose }: CodeHistoryDialogProps) {
  const { t } = useTranslation('redeemCodes');
  const titleId = useId();
  const { data, error, refetch } = useQuery({
    queryKey: ['redemptions', 'code', id],
    queryFn: ({ signal }) =>
      call(listRedemptions, { query: { code_id: id, limit: MOST_SHOWN } }, { signal }),
  });
  const more = (data?.total ?? 0) - MOST_SHOWN;
  return (
    <InfoDialog title={<span id={titleId}>{t('history.title', { code })}</span>} onClose={onClose}>
      {error && !data && <FailedPanel error={error} onRetry={() => void refetch()} />}
      {data?.items.length === 0 && <DialogText>{t('history.none')}</DialogText>}
      {data && data.items.length > 0 && (
        <PlainList labelledBy={titleId}>
          {data.items.map((redemption) => (
            <Row
              key={redemption.id}
              as="li"
              gap={16}
              justify="between"
              className={styles.redemption}
            >
              <Stack as="span" wraps>
                <TypedText>{redemption.user_email}</TypedText>
                <small>
                  <Timestamp value={redemption.redeemed_at} />
                </small>
              </Stack>
              <Outcome {...redemption} />
            </Row>
          ))}
        </PlainList>
      )}
      {more > 0 && <DialogText>{t('more', { count: more })}</DialogText>}
    </InfoDialog>
  );
}

interface EditCodeDialogProps {
  code: RedeemCode;
  onClose: () => void;
}

function EditCodeDialog({ code: stored, onClose }: EditCodeDialogProps) {
  const { t } = useTranslation('redeemCodes');
  const { id, code, credits, description, max_uses, expires_at } = stored;
  const form = useContractForm({
    schema: editCodeForm,
    defaultValues: {
      credits,
      description: description ?? '',
      max_uses,
      ...expiryValues(expires_at),
    },
  });
  const submission = useSubmit({
    form,
    command: useCommand(editRedeemCode, { params: { id }, refreshes: ['redeem-codes'] }),
    bodyOf: ({ day, time, ...body }) => {
      const { dirtyFields } = form.formState;
      const isMoved = dirtyFields.day || dirtyFields.time;
      // An end that was not changed here keeps its milliseconds.
      return { ...body, ...(isMoved ? { expires_at: expiryOf({ day, time }) } : {}) };
    },
    done: () => {
      onClose();
      toast.success(t('edit.done', { code }));
    },
  });
  return (
    <FormDialog
      submission={submission}
      title={t('edit.title', { code })}
      submitLabel={t('action.save')}
      onClose={onClose}
    >
      <FormProblems form={form} />
      <TextInput
        control={form.control}
        name="credits"
        label={t('form.credits')}
        type="number"
        autoFocus
        required
      />
      <CodeFields control={form.control} />
    </FormDialog>
  );
}
