import { readLine, tryLogin } from '@linekeeper/oscam/cccam-login.ts';

const CANNOT_TRY = 2;

const args = process.argv.slice(2);
const printsJson = args.includes('--json');
const line = readLine(args.filter((one) => one !== '--json').join(' '));
if (line === undefined) {
  const error = 'This is not a C line, such as "C: host port username password"';
  process.stderr.write(`${error}\n`);
  if (printsJson) process.stdout.write(`${JSON.stringify({ error })}\n`);
  process.exitCode = CANNOT_TRY;
} else {
  const result = await tryLogin(line);
  const { outcome, reason } = result;
  const sentence = outcome === 'unreachable' ? reason : `${outcome}: ${reason}`;
  if (printsJson) process.stdout.write(`${JSON.stringify(result)}\n`);
  else (outcome === 'accepted' ? process.stdout : process.stderr).write(`${sentence}\n`);
  process.exitCode = { accepted: 0, refused: 1, unreachable: CANNOT_TRY }[outcome];
}
