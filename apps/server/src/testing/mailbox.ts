import { type AddressInfo, createServer, type Socket } from 'node:net';
import { vi } from 'vitest';

export interface Mailbox {
  url: string;
  /** Complete mails with headers, in order of arrival. */
  letters: string[];
  lettersTo(address: string): string[];
  /** Sets the server's replies to recipients from now on; by default all are accepted. */
  answerRecipient(answer: (address: string) => string): void;
  /** The token of the latest confirmation link for `address`; waits for the mail. */
  tokenFor(address: string): Promise<string>;
  close(): Promise<void>;
}

/** A mail server on loopback that accepts every mail and delivers none. */
export async function startMailbox(onPort = 0): Promise<Mailbox> {
  const letters: string[] = [];
  const lettersTo = (address: string) => letters.filter((text) => text.includes(`To: ${address}`));
  let answer = (_address: string) => '250 ok';
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    converse(socket, {
      onLetter: (letter) => letters.push(letter),
      onRecipient: (address) => answer(address),
    });
  });
  await new Promise<void>((resolve) => server.listen(onPort, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    letters,
    lettersTo,
    answerRecipient: (given) => {
      answer = given;
    },
    tokenFor: (address) =>
      vi.waitFor(
        () => {
          const letter = lettersTo(address).at(-1) ?? '';
          const token = /\/callback\?token=(\S+)/.exec(letter)?.[1];
          if (!token) throw new Error(`no letter to ${address} has come`);
          return token;
        },
        { timeout: 120_000, interval: 20 },
      ),
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

interface Heard {
  onLetter(letter: string): void;
  /** Returns the SMTP reply. */
  onRecipient(address: string): string;
}

function converse(socket: Socket, { onLetter, onRecipient }: Heard): void {
  let unread = '';
  let letter: string[] | null = null;
  socket.write('220 mailbox\r\n');
  socket.on('data', (bytes) => {
    const lines = (unread + bytes).split('\r\n');
    unread = lines.pop() ?? '';
    for (const line of lines) {
      if (letter && line === '.') {
        onLetter(unwrap(letter));
        letter = null;
        socket.write('250 kept\r\n');
      } else if (letter) letter.push(line);
      else if (/^DATA/i.test(line)) {
        letter = [];
        socket.write('354 go on\r\n');
      } else if (/^RCPT/i.test(line)) {
        socket.write(`${onRecipient(/<(.*)>/.exec(line)?.[1] ?? '')}\r\n`);
      } else socket.write(/^QUIT/i.test(line) ? '221 bye\r\n' : '250 ok\r\n');
    }
  });
}

/** Decodes quoted-printable soft line breaks. */
function unwrap(lines: string[]): string {
  const text = lines.join('\n');
  return /quoted-printable/i.test(text)
    ? text
        .replace(/=\n/g, '')
        .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)))
    : text;
}
