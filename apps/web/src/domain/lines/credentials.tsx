import { formatDay } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import type { Receivers } from '@linekeeper/contract/lines/receivers.ts';
import { serverProtocols } from '@linekeeper/contract/servers/choices.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Check, Copy } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button, type ButtonLook } from '#kit/ui/buttons/button.tsx';
import { useCopy } from '#kit/ui/buttons/use-copy-text.tsx';
import { addressOf, type LineServer, receiversOfLine } from './line-server.ts';
import { lineServerQuery } from './queries.ts';
import { signInName } from './state.ts';

/** In the order in which a receiver asks for them. */
const credentialNames = ['username', 'password', 'protocol', 'server', 'port', 'expiry'] as const;

export function credentialsOf(line: Line, password: string, server?: LineServer) {
  const { host, port } = addressOf(line, server);
  const protocol = serverProtocols.find(
    (name) => name.toLowerCase() === line.protocol.toLowerCase(),
  );
  // NewCamd has a port for each CAID.
  const hasOnePort = server === undefined || server.protocol === 'CCcam';
  return {
    username: signInName(line),
    password,
    protocol: protocol ?? line.protocol,
    server: host,
    port: hasOnePort ? port : '',
    expiry: formatDay(line.expiry_date),
  };
}

/** What is the same on all servers of a line. */
const sharedNames = ['username', 'password', 'expiry'] as const;

/**
 * Formats credentials as text for a message to the customer, with the N lines if there are any. For several servers it
 * has a C line of each.
 */
function useCredentialsText() {
  const { t } = useTranslation();
  const nLines = ({ newcamd, des_key }: Receivers): string[] => {
    if (newcamd.length === 0) return [];
    const ports = newcamd.flatMap(({ caid, port, line }) => [
      '',
      `CAID ${caid}, ${t('field.port')} ${port}`,
      line,
    ]);
    return [`${t('field.des_key')}: ${des_key}`, ...ports];
  };
  return (line: Line, password: string, servers: readonly LineServer[]): string => {
    const isOne = servers.length < 2;
    const credentials = credentialsOf(line, password, servers[0]);
    const given = (isOne ? credentialNames : sharedNames).filter(
      (name) => credentials[name] !== '',
    );
    const rows = given.map((name) => `${t(`field.${name}`)}: ${credentials[name]}`);
    const each = servers.map((server) => receiversOfLine(line, [server], password));
    if (isOne) return [...rows, ...each.flatMap(nLines)].join('\n');
    const lines = each.flatMap((receivers) => {
      const parts = [receivers.cccam, ...nLines(receivers)].filter((part) => part !== null);
      return parts.length > 0 ? ['', ...parts] : [];
    });
    return [...rows, ...lines].join('\n');
  };
}

/** Gives everything that a customer needs to connect as one text. The password is fetched if it is not shown yet. */
export function useGetCredentials() {
  const queryClient = useQueryClient();
  const credentialsText = useCredentialsText();
  return async (line: Line, getPassword: () => string | Promise<string>): Promise<string> => {
    const [{ servers }, password] = await Promise.all([
      queryClient.fetchQuery(lineServerQuery(line.id)),
      getPassword(),
    ]);
    return credentialsText(line, password, servers);
  };
}

interface CopyCredentialsButtonProps extends Pick<ButtonLook, 'variant'> {
  line: Line;
  getPassword: () => string | Promise<string>;
  children: string;
  label?: string;
}

export function CopyCredentialsButton(props: CopyCredentialsButtonProps) {
  const { line, getPassword } = props;
  const { t } = useTranslation();
  const getCredentials = useGetCredentials();
  const { isCopied, copy, isReached, reached } = useCopy(() => getCredentials(line, getPassword));
  return (
    <Button
      variant={props.variant ?? 'outlined'}
      icon={isCopied ? <Check /> : <Copy />}
      aria-label={props.label}
      {...reached}
      onClick={copy}
    >
      {props.children}
      {isReached && (
        <span className="visually-hidden" role="status">
          {isCopied ? t('copy.done') : ''}
        </span>
      )}
    </Button>
  );
}
