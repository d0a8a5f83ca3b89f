import { formatDay } from '@linekeeper/contract/dates.ts';
import type { Reply } from '@linekeeper/contract/endpoint.ts';
import type { Line, lineServer } from '@linekeeper/contract/lines/lines.ts';
import type { Receivers } from '@linekeeper/contract/lines/receivers.ts';
import { useQuery } from '@tanstack/react-query';
import { Download, Eye, EyeOff, Printer, QrCode as QrIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useGetCredentials } from '#domain/lines/credentials.tsx';
import { type LineServer, receiversOfLine } from '#domain/lines/line-server.ts';
import { lineServerQuery, PASSWORD_DOTS } from '#domain/lines/queries.ts';
import { ShareButton } from '#domain/lines/share-button.tsx';
import type { MoreEntry } from '#kit/overlays/more-list.tsx';
import { MoreMenu } from '#kit/overlays/more-menu.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { CopyTextButton } from '#kit/ui/buttons/copy-button.tsx';
import { Segments } from '#kit/ui/controls/segments.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { downloadText } from '#platform/browser/download-file.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { results } from '#platform/state/results.ts';
import { type EnteredForm, fileOf, hasForm, textOf, useEnteredForm } from './entered-form.ts';
import { CccamForm, NewcamdForm, OscamForm } from './entered-forms.tsx';
import { useLinePassword } from './use-line-password.ts';

/** All servers of the line, and the texts of its seller. */
type Wording = Reply<typeof lineServer>;

const QrCode = lazyPart(() => import('#kit/ui/qr-code.tsx'), 'QrCode');
const PrintedSheet = lazyPart(() => import('./printed-sheet.tsx'), 'PrintedSheet');

interface HandOverProps {
  line: Line;
  /** The password if it was typed a moment ago; otherwise it is masked until it is revealed. */
  known?: string;
  /** True if the page has the Share button at its foot. */
  isSharedAtFoot?: boolean;
  /** Draws the menu with additional entries, instead of the usual menu. */
  menu?: (entries: readonly MoreEntry[]) => ReactNode;
  /** Further buttons beside Share and Copy. */
  children?: ReactNode;
}

/**
 * The receiver settings of a line on all its servers, in all formats of their protocols, with buttons to copy, share,
 * scan and print them.
 */
export function HandOver(props: HandOverProps) {
  const { data, error, refetch } = useQuery(lineServerQuery(props.line.id));
  if (data) return <LoadedHandOver {...props} wording={data} />;
  return (
    <div className="grid grid-cols-1 gap-4 aria-busy:min-h-102" aria-busy={!error}>
      {error && <FailedPanel error={error} onRetry={() => refetch()} />}
    </div>
  );
}

function LoadedHandOver({ wording, ...props }: HandOverProps & { wording: Wording }) {
  const { servers } = wording;
  const { line, known, isSharedAtFoot = false, menu, children } = props;
  const { t } = useTranslation('lines');
  const password = useLinePassword(line, known);
  const { getPassword } = password;
  const { form, choose, offered } = useEnteredForm(servers);
  const getCredentials = useGetCredentials();
  const getText = () => getCredentials(line, getPassword);
  const shownPassword = password.shown ?? PASSWORD_DOTS;
  const ofServers = (some: readonly LineServer[]) => ({
    ...{ line, servers: some, password: shownPassword, getPassword },
    receivers: receiversOfLine(line, some, shownPassword),
    getReceivers: async () => receiversOfLine(line, some, await getPassword()),
  });
  const shown = ofServers(servers.filter((server) => hasForm(server, form)));
  const { receivers } = shown;
  const isEmpty = form === 'newcamd' && receivers.newcamd.length === 0;
  const { entries, opened } = useFurtherWays({ ...shown, wording, form });
  const offeredEntries = isEmpty ? [] : entries;
  return (
    <div className="grid grid-cols-1 gap-4 aria-busy:min-h-102">
      <div className="flex items-center flex-wrap justify-between gap-y-0 gap-x-2 min-h-8">
        <h2>{t('receivers.title')}</h2>
        <ShowButton password={password} />
      </div>
      <FormChoice form={form} offered={offered} onChoose={choose} />
      {form === 'cccam' && <CccamForm {...shown} />}
      {form === 'newcamd' &&
        shown.servers.map((server) => (
          <NewcamdForm
            key={server.id}
            {...ofServers([server])}
            server={server}
            isOneOfSeveral={shown.servers.length > 1}
          />
        ))}
      {(form === 'oscam_cccam' || form === 'oscam_newcamd') && (
        <OscamForm {...shown} form={form} offered={offered} onChoose={choose} />
      )}
      <p className="text-text-2 [&>b]:text-text [&>b]:font-semibold">
        {t('add.validThrough')} <b>{formatDay(line.expiry_date)}</b>
      </p>
      {opened}
      <div className="flex items-center flex-wrap gap-2">
        {!isSharedAtFoot && <ShareButton variant="solid" getText={getText} />}
        <CopyTextButton getValue={getText}>{t('share.copy')}</CopyTextButton>
        {children}
        {menu
          ? menu(offeredEntries)
          : offeredEntries.length > 0 && (
              <MoreMenu
                label={t('moreOf', { name: line.username })}
                size="medium"
                entries={offeredEntries}
              />
            )}
      </div>
    </div>
  );
}

function ShowButton({ password }: { password: ReturnType<typeof useLinePassword> }) {
  const { t } = useTranslation();
  const isShown = password.shown !== undefined;
  return (
    <Button
      variant="text"
      size="small"
      icon={isShown ? <EyeOff /> : <Eye />}
      pending={password.isPending}
      onClick={password.toggle}
    >
      {t(isShown ? 'form.hidePassword' : 'form.showPassword')}
    </Button>
  );
}

interface FormChoiceProps {
  form: EnteredForm;
  offered: readonly EnteredForm[];
  onChoose: (form: EnteredForm) => void;
}

const kinds = ['cccam', 'newcamd', 'oscam'] as const;
const kindOf = (form: EnteredForm) => kinds.find((kind) => form.startsWith(kind)) ?? 'cccam';

/** The choice of C line, N lines or OSCam; the forms for OSCam are chosen below it. */
function FormChoice({ form, offered, onChoose }: FormChoiceProps) {
  const { t } = useTranslation('lines');
  const options = kinds.flatMap((kind) => {
    const value = offered.find((one) => one.startsWith(kind));
    return value ? [{ kind, value, label: t(`receivers.${kind}`) }] : [];
  });
  if (options.length < 2) return null;
  const chosen = options.find(({ kind }) => kind === kindOf(form));
  return (
    <div className="grid -mt-2 [&>[role=radiogroup]]:flex [&>[role=radiogroup]]:justify-self-stretch [&_label]:flex-1 [&_label]:justify-center [&_label]:min-h-9 [&_label]:py-0 [&_label]:px-2 [&_label]:text-[13px] phone:[&_label]:min-h-10">
      <Segments
        label={t('receivers.form')}
        value={chosen?.value ?? form}
        options={options}
        onChange={onChoose}
      />
    </div>
  );
}

/** Bytes in a QR code, at most; with more, it is too fine for the camera of a phone. */
const MOST_QR_BYTES = 1000;

interface FurtherWays {
  line: Line;
  wording: Wording;
  form: EnteredForm;
  getPassword: () => Promise<string>;
  /** Fetches the receiver settings for the servers that have the form. */
  getReceivers: () => Promise<Receivers>;
}

/** The ways to hand over the form that is shown, whether the password is shown or not. */
function useFurtherWays({ line, wording, form, getPassword, getReceivers }: FurtherWays) {
  const { t } = useTranslation('lines');
  const errorText = useErrorText();
  const [qr, setQr] = useState<{ form: EnteredForm; text: string }>();
  const [printed, setPrinted] = useState<string>();
  /** Runs an action; shows an error if the password could not be fetched. */
  const act =
    <Given,>(get: () => Promise<Given>, use: (given: Given) => void) =>
    () =>
      get().then(use, (error) => results.error(errorText(error)));
  const showQr = act(getReceivers, (receivers) => {
    const text = textOf(receivers, form);
    if (new TextEncoder().encode(text).length <= MOST_QR_BYTES) setQr({ form, text });
    else results.info(t('receivers.qrTooLong'));
  });
  const download = act(getReceivers, (receivers) =>
    downloadText(`${textOf(receivers, form)}\n`, fileOf(form, line.username), 'text/plain'),
  );
  const entries: MoreEntry[] = [
    { name: 'qr', icon: QrIcon, text: t('recurring.qr'), act: showQr },
    { name: 'print', icon: Printer, text: t('action.print'), act: act(getPassword, setPrinted) },
    { name: 'download', icon: Download, text: t('action.download'), act: download },
  ];
  const opened = (
    <>
      {qr?.form === form && (
        <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-4">
          <QrCode
            text={qr.text}
            label={t('receivers.qrOf', { form: t(`receivers.${kindOf(form)}`) })}
            className="w-38 h-38 p-1 border border-divider-strong rounded-[12px] bg-[#fff] phone:w-32 phone:h-32"
          />
          <p className="text-text-2">{t('receivers.scanHint')}</p>
        </div>
      )}
      {printed !== undefined && (
        <PrintedSheet
          line={line}
          wording={wording}
          password={printed}
          onDone={() => setPrinted(undefined)}
        />
      )}
    </>
  );
  return { entries, opened };
}
