import type { SellerPage } from '@linekeeper/contract/accounts/seller-texts.ts';
import { type Day, today as dayOf, daysBetween } from '@linekeeper/contract/dates.ts';
import { isNoAccess } from '@linekeeper/contract/findings.ts';
import type { Language } from '@linekeeper/contract/languages.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import {
  type Address,
  desKeyBytes,
  newcamdLines,
  splitHostPort,
} from '@linekeeper/contract/lines/receivers.ts';
import { factsOf, fillText } from '@linekeeper/contract/text/own-texts.ts';
import { everything } from '../../../domain/context/access.ts';
import type { Services } from '../../../domain/context/context.ts';
import { findForReceivers } from '../../../domain/lines/line-servers.ts';
import { readWording } from '../../../domain/lines/seller-texts.ts';
import { findLine } from '../list/store.ts';

type Found = Awaited<ReturnType<typeof findForReceivers>>['servers'][number];

/** The receiver settings for one server, and whether it responds. */
export interface PageServer extends Pick<Found, 'server_name' | 'protocol'>, Address {
  /** The ports of NewCamd, by CAID. */
  ports: { caid: string; port: number }[];
  des_key: string;
  /** Time when the panel last reached the server, or since which it does not respond; null if neither is known. */
  state: { responds: boolean; at: Date } | null;
}

export interface PageFacts {
  /** The seller, with the words for this customer. */
  seller: Omit<SellerPage, 'words' | 'shows_password'> & { words: string | null };
  line: Pick<Line, 'username' | 'expiry_date' | 'is_trial' | 'presence'>;
  is_suspended: boolean;
  days_left: number;
  servers: PageServer[];
  /** The line's password; null unless the seller shows it on the page. */
  password: string | null;
  /** Time when the customer asked for a renewal that has not come yet; null without such a request. */
  asked_at: string | null;
  asked_today: boolean;
  today: Day;
  time_zone: string;
}

function stateOf({ status, status_finding, away_at, last_connection }: Found): PageServer['state'] {
  if (status === 'active') return last_connection && { responds: true, at: last_connection };
  const isAway = status === 'error' && !(status_finding && isNoAccess(status_finding));
  return isAway && away_at ? { responds: false, at: away_at } : null;
}

function toServer(server: Found): PageServer {
  const address = splitHostPort(server.host_port);
  const { server_name, protocol, des_key } = server;
  const ports = newcamdLines(server, address.host, { username: '', password: '' });
  return {
    ...address,
    server_name,
    protocol,
    ports: protocol === 'CCcam' ? [] : ports.map(({ caid, port }) => ({ caid, port })),
    des_key: desKeyBytes(des_key),
    state: stateOf(server),
  };
}

interface OpenedPage {
  id: string;
  /** The name of the line's owner. */
  full_name: string;
  language: Language;
}

/** All that a customer's page shows. The password is read only if the seller shows it. */
export async function readPageFacts(
  { db, secrets, config, today }: Services,
  { id, full_name, language }: OpenedPage,
): Promise<PageFacts> {
  const [line, found, { seller, plan }] = await Promise.all([
    findLine(db, everything, id),
    findForReceivers(db, everything, id),
    readWording(db, id),
  ]);
  const words = seller.words[language] ?? Object.values(seller.words).find((one) => one !== null);
  // The words are shown to anyone who has the link, and never say the password.
  const { servers } = found;
  const known = { ...line, plan, servers, password: undefined, page: null };
  const facts = factsOf(known, language);
  const { page, expiry_date, suspension } = line;
  const asked_at = page?.asked_at ?? null;
  const { time_zone } = config;
  return {
    seller: {
      ...seller,
      name: seller.name ?? (full_name || null),
      words: words ? fillText(words, facts) : null,
    },
    line,
    is_suspended: suspension !== null,
    days_left: daysBetween(today(), expiry_date),
    servers: servers.map(toServer),
    password: seller.shows_password && !suspension ? secrets.open(found.sealed, id) : null,
    asked_at,
    asked_today: asked_at !== null && dayOf(time_zone, new Date(asked_at)) === today(),
    today: today(),
    time_zone,
  };
}
