// `npm run reset-password -- <email>`: for an operator who cannot sign in any more. It gives an
// account a new password, and with --two-factor-off lets it sign in without its phone. If only the
// running panel can read the database, the command uses that panel's socket.
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { errorText, isErrorCode } from '@linekeeper/contract/errors.ts';
import { email as anEmail, newPassword } from '@linekeeper/contract/fields/fields.ts';
import { type OperatorReset, resetByOperator } from '../domain/accounts/operator-reset.ts';
import { type Config, readConfig } from '../platform/config/config.ts';
import { isCommonPassword } from '../platform/keys/passwords.ts';
import { openDatabase, refuseMissingDatabase, updateSchema } from './open-database.ts';
import { askThroughSocket } from './operator-socket.ts';
import { runCommand, say } from './run-command.ts';

function readEmail(given: string): string {
  const { data: email } = anEmail.safeParse(given);
  if (email === undefined) throw new Error(`${given} is not an email address`);
  return email;
}

/** Reads lines from the input; text typed at a terminal is not shown. */
function hiddenLines(): { next(prompt: string): Promise<string>; close(): void } {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = process.stdin.isTTY ?? false;
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal });
  const lines = reader[Symbol.asyncIterator]();
  return {
    next: async (prompt) => {
      if (terminal) process.stderr.write(prompt);
      const { value, done } = await lines.next();
      if (terminal) process.stderr.write('\n');
      if (done) throw new Error('No password was entered. Nothing was changed.');
      return value;
    },
    close: () => reader.close(),
  };
}

async function askForPassword(): Promise<string> {
  const lines = hiddenLines();
  try {
    const password = await lines.next('New password: ');
    const found = newPassword.safeParse(password);
    if (!found.success) {
      const code = found.error.issues[0]?.message ?? '';
      throw new Error(isErrorCode(code) ? errorText(code) : code);
    }
    if (isCommonPassword(password)) throw new Error(errorText('PASSWORD_TOO_COMMON'));
    if (process.stdin.isTTY && (await lines.next('Repeat the password: ')) !== password) {
      throw new Error('The passwords do not match. Nothing was changed.');
    }
    return password;
  } finally {
    lines.close();
  }
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

await runCommand('reset-password', async ({ values, positionals }) => {
  const email = readEmail(positionals[0] ?? '');
  const asksForPassword = values.ask === true;
  const ends_two_factor = values['two-factor-off'] === true;
  const config = readConfig(process.env);
  const password = asksForPassword ? await askForPassword() : randomBytes(12).toString('base64url');
  const { two_factor } = await reset(config, { email, password, ends_two_factor });
  say(`Account: ${email}`);
  if (!asksForPassword) say(`Password: ${password}`);
  if (two_factor === 'on') {
    say(
      'Two-factor sign-in is on. If the phone and the recovery codes are lost, run this command ' +
        'again with --two-factor-off',
    );
  } else {
    say(`Two-factor sign-in: ${two_factor === 'off' ? 'off' : 'turned off'}`);
  }
  say('All sessions, API keys and reset links of the account have ended');
  return { email, password: asksForPassword ? null : password, two_factor };
});
