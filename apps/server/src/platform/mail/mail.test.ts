import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createMail, MailNotTaken } from './mail.ts';

const secret = 'http://panel.example/reset-password?token=secret';
const letter = {
  to: 'reader@panel.example',
  from_name: 'Linekeeper',
  subject: 'Set a new password',
  text: secret,
  html: `<a href="${secret}">Set</a>`,
};

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Starts a server that runs `converse` with each connection. */
async function startServer(converse: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => socket.destroy());
    converse(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a server that replies to each command, and to the mail itself, with the result of `reply`. */
const talking = (reply: (command: string) => string) => (socket: Socket) => {
  let isMail = false;
  socket.write('220 server\r\n');
  socket.on('data', (bytes) => {
    const said = String(bytes);
    if (isMail && !said.endsWith('\r\n.\r\n')) return;
    const command = isMail ? 'mail' : said.slice(0, 4).toUpperCase();
    isMail = command === 'DATA';
    socket.write(`${reply(command)}\r\n`);
  });
};

async function refusalOf(url: string, deadlineMs?: number): Promise<MailNotTaken> {
  const error = await createMail(url, deadlineMs)
    .send(letter)
    .then(
      () => null,
      (reason: unknown) => reason,
    );
  expect(error).toBeInstanceOf(MailNotTaken);
  return error as MailNotTaken;
}

test('a server that sends a byte now and then is left at the deadline', async () => {
  let hasClosed = false;
  const url = await startServer((socket) => {
    const dripping = setInterval(() => socket.write('2'), 20);
    socket.on('close', () => {
      hasClosed = true;
      clearInterval(dripping);
    });
  });
  // Without the deadline, the client would wait without end.
  expect((await refusalOf(url, 400)).isFinal).toBe(false);
  await expect.poll(() => hasClosed).toBe(true);
});

test('a server that is away is asked again', async () => {
  expect((await refusalOf('smtp://127.0.0.1:1')).isFinal).toBe(false);
});

test.each([
  ['RCPT', '550 no such person', true],
  ['RCPT', '451 later', false],
  ['DATA', '552 too much', true],
  ['mail', '554 looks like spam', true],
  ['mail', '451 later', false],
  // Faults in the settings, which an operator can correct.
  ['MAIL', '553 not your address', false],
  ['EHLO', '554 go away', false],
])('of %s refused with "%s" it is final: %s', async (at, answer, isFinal) => {
  const url = await startServer(
    talking((command) => {
      if (command === at) return answer;
      // A client whose EHLO is refused sends HELO.
      if (at === 'EHLO' && command === 'HELO') return answer;
      return command === 'DATA' ? '354 go on' : '250 ok';
    }),
  );
  expect((await refusalOf(url)).isFinal).toBe(isFinal);
});

test('what a server says of the mail, quoting it, is not kept', async () => {
  const url = await startServer(
    talking((command) => {
      if (command === 'mail') return `554 refused for ${secret}`;
      return command === 'DATA' ? '354 go on' : '250 ok';
    }),
  );
  const error = await refusalOf(url);
  expect(JSON.stringify({ ...error, message: error.message, stack: error.stack })).not.toContain(
    'token=',
  );
  expect(error.cause).toBeUndefined();
});
