import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** A second port of 127.0.0.1 that leads to the given one until it is closed, as a router's forwarded port does. */
export async function forwardPort(to: number) {
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    near.on('error', () => far.destroy()).pipe(far);
    far.on('error', () => near.destroy()).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, close: () => server.close() };
}
