import { newLine } from '../lines.ts';
import { startTestShop } from '../panel.ts';

export type Sold = { id: string; username: string; expiry_date: string };

/** Starts a panel with a server, and with a seller whose lines have names that begin with `prefix`. */
export async function startSellersShop(prefix: string) {
  const shop = await startTestShop();
  const { panel, serverId } = shop;
  const seller = await panel.reseller({ credits: 1000 });
  let names = 0;
  return {
    ...shop,
    seller,
    async sell(client = seller.client): Promise<Sold> {
      names += 1;
      const line = newLine(`${prefix}${names}`, { server_id: serverId });
      return (await client.post('/api/lines', line)).body.line;
    },
    read: async (id: string, client = seller.client) => (await client.get(`/api/lines/${id}`)).body,
  };
}

export type SellersShop = Awaited<ReturnType<typeof startSellersShop>>;
