import { type AddressInfo, createServer, type Socket } from 'node:net';
import { vi } from 'vitest';

export interface Mailbox {
  url: string;
  /** Whole letters, headers and all, in the order they came. */
  letters: string[];
  /** The token of the confirmation link sent last to `address`; waits for the letter. */
  tokenFor(address: string): Promise<string>;
  close(): Promise<void>;
}

/** A mail server on loopback that takes every letter and delivers none. */
export async function startMailbox(): Promise<Mailbox> {
  const letters: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    converse(socket, (letter) => letters.push(letter));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    letters,
    tokenFor: (address) =>
      vi.waitFor(
        () => {
          const letter = letters.findLast((text) => text.includes(`To: ${address}`)) ?? '';
          const token = /\/callback\?token=(\S+)/.exec(letter)?.[1];
          if (!token) throw new Error(`no letter to ${address} has come`);
          return token;
        },
        { timeout: 5000, interval: 20 },
      ),
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function converse(socket: Socket, onLetter: (letter: string) => void): void {
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
      } else socket.write(/^QUIT/i.test(line) ? '221 bye\r\n' : '250 ok\r\n');
    }
  });
}

/** Undoes the quoted-printable folding of long lines. */
function unwrap(lines: string[]): string {
  const text = lines.join('\n');
  return /quoted-printable/i.test(text)
    ? text
        .replace(/=\n/g, '')
        .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)))
    : text;
}
