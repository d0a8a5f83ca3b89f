// `npm run ledger:verify`: names each difference in the books of the credits and of the audit log, and fails if there
// is one. If only the running panel can read the database, the command uses its API.
import { resolve } from 'node:path';
import {
  type LedgerDifference,
  MAX_DIFFERENCES,
  verifyLedger,
} from '@linekeeper/contract/credits/transfers.ts';
import type { Reply } from '@linekeeper/contract/endpoint.ts';
import type { Connection } from '../db/connect.ts';
import { withLongStatements } from '../db/deadline.ts';
import { checkLedger } from '../features/credits/verify-ledger.ts';
import { type Config, readConfig } from '../platform/config/config.ts';
import { checkSecretKey } from '../platform/keys/key-check.ts';
import { configuredKey } from '../platform/keys/key-file.ts';
import { createSecrets } from '../platform/keys/secrets.ts';
import { openPresentDatabase, updateSchema } from './open-database.ts';
import { verifyThroughSocket } from './operator-socket.ts';
import { isPanelNamed, withRunningPanel } from './panel-client.ts';
import { runCommand, say } from './run-command.ts';

type Verdict = Reply<typeof verifyLedger>;

const sentences: Record<LedgerDifference['kind'], (found: LedgerDifference) => string> = {
  balance: ({ id, expected, found }) =>
    `Account ${id} has ${found} credits, but its transfers add up to ${expected}`,
  negative: ({ id, found }) => `Account ${id} has ${found} credits, which is below 0`,
  sum: ({ found }) => `All balances, issued credits and sales add up to ${found} instead of 0`,
  unknown_account: ({ id }) => `Transfers name the account ${id}, which does not exist`,
  changed: ({ id }) => `Transfer ${id} was changed after it was sealed`,
  removed: ({ id }) => `Transfer ${id} was sealed and is missing`,
  inserted: ({ id }) => `Transfer ${id} was inserted among sealed ones`,
  seal: ({ id }) =>
    `Seal ${id} of the ledger is missing, or does not match its rows and this panel's key`,
  audit_changed: ({ id }) => `Audit entry ${id} was changed after it was sealed`,
  audit_removed: ({ id }) => `Audit entry ${id} was sealed and is missing`,
  audit_inserted: ({ id }) => `Audit entry ${id} was inserted among sealed ones`,
  audit_seal: ({ id }) =>
    `Seal ${id} of the audit log is missing, or does not match its rows and this panel's key`,
};

function report(verdict: Verdict): Verdict {
  const { ok, accounts, transfers, differences } = verdict;
  const counted = `${accounts} accounts, ${transfers} transfers`;
  if (ok) {
    say(`${counted}: every balance is correct, and every seal is intact`);
    return verdict;
  }
  for (const difference of differences) say(sentences[difference.kind](difference));
  const more = differences.length === MAX_DIFFERENCES ? ' or more' : '';
  const named = differences.length === 1 ? 'difference' : 'differences';
  process.exitCode = 1;
  process.stderr.write(`${counted}: ${differences.length}${more} ${named}\n`);
  return verdict;
}

async function verifyAlone(config: Config, { db }: Connection): Promise<Verdict> {
  await updateSchema(db);
  const key = configuredKey(config);
  if (key === null) throw new Error('Set SECRET_KEY to the key of the panel');
  const secrets = createSecrets(key);
  await checkSecretKey(db, secrets);
  return withLongStatements(() => checkLedger(db, secrets));
}

async function verify(config: Config): Promise<Verdict> {
  const connection = await openPresentDatabase(config);
  if (connection) return verifyAlone(config, connection).finally(() => connection.close());
  if (isPanelNamed()) return withRunningPanel(config, (panel) => panel.call(verifyLedger));
  return verifyThroughSocket(resolve(config.data_dir));
}

await runCommand('verify', async () => report(await verify(readConfig(process.env))));
