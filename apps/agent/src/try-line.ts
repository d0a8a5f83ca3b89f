import { readLine, tryLogin } from '@linekeeper/oscam/cccam-login.ts';

const USAGE = 'npm run try-line -- "C: host port username password"';
const CANNOT_TRY = 2;

const line = readLine(process.argv.slice(2).join(' '));
if (line === undefined) {
  process.stderr.write(`This is not a C line. Usage: ${USAGE}\n`);
  process.exitCode = CANNOT_TRY;
} else {
  const { outcome, reason } = await tryLogin(line);
  const sentence = outcome === 'unreachable' ? reason : `${outcome}: ${reason}`;
  (outcome === 'accepted' ? process.stdout : process.stderr).write(`${sentence}\n`);
  process.exitCode = { accepted: 0, refused: 1, unreachable: CANNOT_TRY }[outcome];
}
