// `npm run reset-password -- <email>`: for whoever rules the machine and cannot sign in any more. Gives an
// account a new password, and with --two-factor-off lets it sign in without its phone. Goes through the
// running panel's own socket where that panel alone can read the database.
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { email as anEmail } from '@linekeeper/contract/fields/fields.ts';
import { type OperatorReset, resetByOperator } from '../domain/accounts/operator-reset.ts';
import { type Config, readConfig } from '../platform/config/config.ts';
import { openDatabase, refuseMissingDatabase, updateSchema } from './open-database.ts';
import { askThroughSocket } from './operator-socket.ts';
import { runCommand, say } from './run-command.ts';

const USAGE = 'Say whose: npm run reset-password -- <email> [--two-factor-off]';

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'two-factor-off': { type: 'boolean', default: false } },
  });
  const [given, ...others] = positionals;
  if (given === undefined || others.length > 0) throw new Error(USAGE);
  const { data: email } = anEmail.safeParse(given);
  if (email === undefined) throw new Error(`${given} is not an email address. ${USAGE}`);
  return { email, ends_two_factor: values['two-factor-off'] };
}

async function reset(config: Config, asked: OperatorReset) {
  refuseMissingDatabase(config);
  const connection = await openDatabase(config);
  if (!connection) return askThroughSocket(resolve(config.data_dir), asked);
  const { db } = connection;
  try {
    await updateSchema(db);
    return await resetByOperator(db, asked);
  } finally {
    await connection.close();
  }
}

await runCommand(async () => {
  const { email, ends_two_factor } = readArguments();
  const config = readConfig(process.env);
  const password = randomBytes(12).toString('base64url');
  const { two_factor } = await reset(config, { email, password, ends_two_factor });
  say(`Account: ${email}`);
  say(`Password: ${password}`);
  if (two_factor === 'on') {
    say(
      'Two-factor sign-in is on. If the phone and the recovery codes are lost, run this again with ' +
        '--two-factor-off',
    );
  } else {
    say(`Two-factor sign-in: ${two_factor === 'off' ? 'off' : 'turned off'}`);
  }
  say('Its sessions, API keys and reset links have ended');
});
