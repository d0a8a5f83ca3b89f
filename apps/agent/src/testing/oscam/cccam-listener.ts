import { randomBytes } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { ciphersOf, FIELD_BYTES, GREETING, SEED_BYTES } from '../../cccam/cipher.ts';

/** The password of the account that a name finds; undefined refuses it. */
export type FindPassword = (name: Buffer) => string | undefined;

const SENT_BYTES = FIELD_BYTES + FIELD_BYTES + GREETING.length;

/** The server's side of a CCcam login, as a client sees it. */
function answer(socket: Socket, find: FindPassword): void {
  const seed = randomBytes(SEED_BYTES);
  socket.write(seed);
  const { hash, fromServer, toServer } = ciphersOf(seed);
  let received = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    if (received.length < SENT_BYTES) return;
    socket.removeAllListeners('data');
    const proof = toServer.decrypt(received.subarray(0, FIELD_BYTES));
    const name = toServer.decrypt(received.subarray(FIELD_BYTES, 2 * FIELD_BYTES));
    const password = proof.equals(hash) ? find(name) : undefined;
    if (password !== undefined) toServer.encrypt(Buffer.from(password, 'latin1'));
    const greeting = toServer.decrypt(received.subarray(2 * FIELD_BYTES, SENT_BYTES));
    if (password === undefined || !greeting.equals(GREETING)) {
      socket.destroy();
      return;
    }
    const reply = Buffer.alloc(FIELD_BYTES);
    GREETING.copy(reply);
    socket.end(fromServer.encrypt(reply));
  });
}

export function createCccamListener(find: FindPassword): Server {
  return createServer((socket) => answer(socket, find));
}
