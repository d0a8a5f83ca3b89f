import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { desKeyBytes, type Receivers } from '@linekeeper/contract/lines/receivers.ts';
import { Link } from '@tanstack/react-router';
import { Info } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { addressOf, type LineServer } from '#domain/lines/line-server.ts';
import { signInName } from '#domain/lines/state.ts';
import { CopyButton } from '#kit/ui/buttons/copy-button.tsx';
import { RadioPill } from '#kit/ui/controls/pills.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useMe } from '#platform/data/session.ts';
import { type EnteredForm, fileOf, textOf } from './entered-form.ts';

interface FormProps {
  line: Line;
  /** The servers that have the form. */
  servers: readonly LineServer[];
  /** Receiver settings whose password is masked until it is revealed. */
  receivers: Receivers;
  password: string;
  getPassword: () => Promise<string>;
  /** Fetches the receiver settings with the password. */
  getReceivers: () => Promise<Receivers>;
}

interface OfServer {
  server: LineServer;
}

/** A part of a C or N line, which is broken only if it is longer than a row. */
function Part({ children }: { children: string }) {
  return (
    <span className="inline-block max-w-full">
      <TypedText>{children}</TypedText>
    </span>
  );
}

/** A text to copy, with its button. */
const COPIED =
  'grid grid-cols-[minmax(0,1fr)_auto] gap-2 py-2 ps-4 pe-2 rounded-[12px] bg-head [&_code]:wrap-anywhere';
const FILE = 'max-h-80 m-0 py-3 px-4 overflow-auto type-[400_13px/22px_var(--mono)]';
const LINE = `${COPIED} items-center [&_code]:py-1 [&_code]:type-[400_13px/22px_var(--mono)]`;

/** The C line of a line's server with its parts, or the C lines of its servers. */
export function CccamForm(props: FormProps) {
  const [server, ...others] = props.servers;
  if (!server) return null;
  return others.length > 0 ? <CLines {...props} /> : <CLine {...props} server={server} />;
}

function CLines({ line, receivers, password, getPassword, getReceivers }: FormProps) {
  const { t } = useTranslation('lines');
  const linesOf = ({ cccam }: Receivers) => cccam?.split('\n') ?? [];
  return (
    <dl className="divided border border-divider rounded-[12px]">
      <Value name={t('field.username')} value={signInName(line)} />
      <Value name={t('field.password')} value={password} getValue={getPassword} />
      {linesOf(receivers).map((text, index) => (
        <Value
          key={text}
          name={t('receivers.cLineOf', { number: index + 1 })}
          value={text}
          shown={<Words>{text}</Words>}
          getValue={async () => linesOf(await getReceivers())[index] ?? ''}
        />
      ))}
    </dl>
  );
}

function Words({ children }: { children: string }) {
  const [kind, host = '', port, username = '', password = ''] = children.split(' ');
  return (
    <>
      {kind} <Part>{host}</Part> {port} <Part>{username}</Part> <Part>{password}</Part>
    </>
  );
}

function CLine(props: FormProps & OfServer) {
  const { line, server, password, getReceivers } = props;
  const { t } = useTranslation('lines');
  const { host, port } = addressOf(line, server);
  return (
    <>
      <div className={LINE}>
        <code>
          C:{' '}
          <b>
            <Part>{host}</Part> {port}
          </b>{' '}
          <Part>{signInName(line)}</Part> <Part>{password}</Part>
        </code>
        <CopyButton
          size="small"
          label={t('copy.field', { field: t('receivers.cccam') })}
          getValue={async () => textOf(await getReceivers(), 'cccam')}
        />
      </div>
      <Rows {...props} port={port} />
    </>
  );
}

type RowsProps = OfServer &
  Pick<FormProps, 'line' | 'password' | 'getPassword'> & { port?: string };

/** The fields of a receiver, each with its own copy button. */
function Rows({ line, server, password, port, getPassword }: RowsProps) {
  const { t } = useTranslation();
  return (
    <dl className="divided border border-divider rounded-[12px]">
      <Value name={t('field.server')} value={addressOf(line, server).host} />
      {port !== undefined && <Value name={t('field.port')} value={port} />}
      <Value name={t('field.username')} value={signInName(line)} />
      <Value name={t('field.password')} value={password} getValue={getPassword} />
    </dl>
  );
}

interface ValueProps {
  name: string;
  value: string;
  /** The shown value, if it is not a text. */
  shown?: ReactNode;
  /** Fetches the text to copy, if it is not the shown one. */
  getValue?: () => Promise<string>;
}

function Value({ name, value, shown, getValue }: ValueProps) {
  const { t } = useTranslation();
  return (
    <div className="grid grid-cols-[100px_minmax(0,1fr)_auto] items-center gap-2 min-h-11 pt-1 pr-2 pb-1 pl-4 phone:grid-cols-[minmax(0,1fr)_auto] phone:gap-y-0 phone:gap-x-2 phone:pt-1.5 phone:pr-1 phone:pb-1.5 phone:pl-4">
      <dt className="phone:type-caption">{name}</dt>
      <dd className="font-semibold phone:col-1">{shown ?? <TypedText>{value}</TypedText>}</dd>
      <dd className="phone:row-[1/3] phone:col-2">
        <CopyButton
          size="small"
          label={t('copy.field', { field: name })}
          {...(getValue ? { getValue } : { value })}
        />
      </dd>
    </div>
  );
}

interface NewcamdFormProps extends FormProps, OfServer {
  /** True if other servers are shown, too, so that the server's name is needed. */
  isOneOfSeveral: boolean;
}

export function NewcamdForm({ isOneOfSeveral, ...props }: NewcamdFormProps) {
  const { server } = props;
  return (
    <>
      {isOneOfSeveral && (
        <p className="type-strong">
          <TypedText>{server.server_name}</TypedText>
        </p>
      )}
      {server.newcamd_ports.length > 0 ? <NLines {...props} /> : <NoPorts {...props} />}
    </>
  );
}

function NLines({ line, server, receivers, password, getReceivers }: FormProps & OfServer) {
  const { t } = useTranslation('lines');
  const { host } = addressOf(line, server);
  const key = desKeyBytes(server.des_key);
  return (
    <>
      <Group title={t('field.des_key')}>
        <div className={LINE}>
          <code>{key}</code>
          <CopyButton
            size="small"
            value={key}
            label={t('copy.field', { field: t('field.des_key') })}
          />
        </div>
      </Group>
      <Group
        title={t('receivers.newcamd')}
        action={
          receivers.newcamd.length > 1 && (
            <CopyButton
              size="small"
              label={t('copy.field', { field: t('receivers.newcamd') })}
              getValue={async () => textOf(await getReceivers(), 'newcamd')}
            />
          )
        }
      >
        <ul className="grid grid-cols-1 gap-2">
          {receivers.newcamd.map(({ caid, port }, index) => (
            <li
              key={port}
              className={`${COPIED} items-start [&_code]:block [&_code]:type-[400_12px/20px_var(--mono)] [&_p>b]:text-text [&_p>b]:font-semibold`}
            >
              <div>
                <p className="text-text-2">
                  <b>CAID {caid}</b> {t('receivers.port', { port })}
                </p>
                <code>
                  N:{' '}
                  <b>
                    <Part>{host}</Part> {port}
                  </b>{' '}
                  <Part>{signInName(line)}</Part> <Part>{password}</Part>{' '}
                  <span className="text-text-2 inline-block">{key}</span>
                </code>
              </div>
              <CopyButton
                size="small"
                label={t('receivers.copyNLineOf', { caid, port })}
                getValue={async () => (await getReceivers()).newcamd[index]?.line ?? ''}
              />
            </li>
          ))}
        </ul>
      </Group>
    </>
  );
}

interface GroupProps {
  title: string;
  action?: ReactNode;
  children: ReactNode;
}

function Group({ title, action, children }: GroupProps) {
  const id = useId();
  return (
    <section className="grid grid-cols-1 gap-2" aria-labelledby={id}>
      <div className="flex items-center justify-between gap-2">
        <h3 id={id}>{title}</h3>
        {action}
      </div>
      {children}
    </section>
  );
}

/**
 * The message that a NewCamd server has no ports, so that its lines have no N line. Administrators get a link to add
 * ports.
 */
function NoPorts(props: Omit<RowsProps, 'port'>) {
  const { server } = props;
  const { t } = useTranslation('lines');
  const { is_admin } = useMe();
  return (
    <>
      <Banner tone="warning" title={t('receivers.noPorts', { name: server.server_name })}>
        {is_admin ? (
          <Link className="link" to="/cccam-servers/$id/edit" params={{ id: server.id }}>
            {t('receivers.addPorts')}
          </Link>
        ) : (
          t('receivers.askForPorts')
        )}
      </Banner>
      <Rows {...props} />
    </>
  );
}

interface OscamFormProps extends FormProps {
  form: EnteredForm;
  offered: readonly EnteredForm[];
  onChoose: (form: EnteredForm) => void;
}

export function OscamForm(props: OscamFormProps) {
  const { line, servers, receivers, getReceivers, form, offered, onChoose } = props;
  const { t } = useTranslation('lines');
  const name = useId();
  const kinds = (['oscam_cccam', 'oscam_newcamd'] as const).filter((kind) =>
    offered.includes(kind),
  );
  const file = fileOf(form, line.username);
  const texts = {
    oscam_cccam: 'CCcam',
    oscam_newcamd: t('receivers.newcamdReaders', {
      count: servers.reduce((sum, { newcamd_ports }) => sum + newcamd_ports.length, 0),
    }),
  };
  return (
    <>
      {kinds.length > 1 && (
        <div
          className="flex flex-wrap items-stretch gap-2"
          role="radiogroup"
          aria-label={t('field.protocol')}
        >
          {kinds.map((kind) => (
            <RadioPill
              key={kind}
              size="medium"
              name={name}
              checked={kind === form}
              onChange={() => onChoose(kind)}
            >
              {texts[kind]}
            </RadioPill>
          ))}
        </div>
      )}
      <div className="overflow-hidden rounded-[12px] bg-head">
        <div className="flex items-center gap-2 pt-1.5 pr-2 pb-1.5 pl-4 border-b border-b-divider-strong">
          <b className="flex-1 min-w-0 font-semibold">{file}</b>
          <CopyButton
            size="small"
            label={t('copy.field', { field: file })}
            getValue={async () => textOf(await getReceivers(), form)}
          />
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
        <pre className={FILE} tabIndex={0}>
          {textOf(receivers, form)}
        </pre>
      </div>
      <div className="flex gap-3 py-3 px-4 rounded-[12px] bg-head">
        <span className="text-text-2">
          <Info size={20} />
        </span>
        <p>{t('receivers.oscamHint')}</p>
      </div>
    </>
  );
}
