import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/transaction.ts';
import { hashOfToken } from '../accounts/one-time-tokens.ts';
import type { Services } from '../context/context.ts';

const TOKEN_BYTES = 16;

/** SQL condition on a line and its page: the customer asked for a renewal, and the line was not renewed since. */
export const isAsked = sql<SqlBool>`line_pages.asked_expiry = users.expiry_date`;

/**
 * The token of a customer's page: 128 bits, derived with the panel's key. So the panel can give the link again, while the
 * database has only the token's hash.
 */
export const pageToken = ({ secrets }: Pick<Services, 'secrets'>, id: string) =>
  Buffer.from(secrets.signLink(`customer page ${id}`), 'base64url')
    .subarray(0, TOKEN_BYTES)
    .toString('base64url');

/** The address of a customer's page. */
export const pageLink = ({ auth }: Pick<Services, 'auth'>, token: string) =>
  auth.pageLink(`/l/${token}`);

/** The link of a line's page; null if it has none, or one that was made with another key, whose link only its customer knows. */
export async function readPageLink(
  services: Pick<Services, 'auth' | 'secrets'>,
  db: Db,
  line_id: string,
): Promise<string | null> {
  const page = await db
    .selectFrom('line_pages')
    .select(['id', 'token_hash'])
    .where('line_id', '=', line_id)
    .executeTakeFirst();
  const token = page && pageToken(services, page.id);
  return token && hashOfToken(token) === page.token_hash ? pageLink(services, token) : null;
}

/** A request for a customer's page. */
export interface Visit {
  /** The token of the page, or of the link in a reminder. */
  token: string;
  /** The language that the address names. */
  lang: string | undefined;
  /** The languages of the browser. */
  accepted: string | undefined;
  network: string;
  userAgent: string | undefined;
  /** True for a HEAD request, which gets only the headers of the page. */
  isHead: boolean;
}

export interface PageReply {
  status: number;
  html: string;
}

/** The pages of customers, for the server that shows them. */
export interface CustomerPages {
  /** The stylesheet inside each page. */
  style: string;
  show(services: Services, visit: Visit): Promise<PageReply>;
  /** Asks the seller for a renewal. Returns null once it is done. */
  ask(services: Services, visit: Visit): Promise<PageReply | null>;
  /** The page to which the link of a reminder leads. `isPressed` stops the emails. */
  stop(services: Services, visit: Visit, isPressed: boolean): Promise<PageReply>;
  message(kind: 'gone' | 'later', visit: Visit): string;
}
