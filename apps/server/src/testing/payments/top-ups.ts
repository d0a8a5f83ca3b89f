import type { TopUp } from '@linekeeper/contract/credits/top-ups.ts';
import type { TestAccount, TestPanel } from '../panel.ts';
import type { StripeServer } from './stripe-server.ts';

export const packageSample = { name: 'Small', credits: 50, price_minor: 5000, currency: 'EUR' };

/** The settings with bank details, for payments by transfer. */
export const bankDetails = { bank_details: 'Lines Ltd\nDE02 1203 0000 0000 2020 51' };

/** An account that buys credits by card, with the steps that tests of card payments share. */
export class CardBuyer {
  readonly #panel: TestPanel;
  readonly #stripe: StripeServer;
  readonly account: TestAccount;

  constructor(panel: TestPanel, stripe: StripeServer, account: TestAccount) {
    this.#panel = panel;
    this.#stripe = stripe;
    this.account = account;
  }

  /** Orders a new package. */
  async order(changes: object = {}, more: object = {}): Promise<TopUp> {
    await this.#panel.admin.patch('/api/settings', bankDetails);
    const made = await this.#panel.admin.post('/api/packages', { ...packageSample, ...changes });
    const { id } = made.body.package;
    const { body } = await this.account.client.post('/api/topups', { package_id: id, ...more });
    await this.#panel.admin.delete(`/api/packages/${id}`);
    return body;
  }

  /** Checks out a top-up. Returns the id of the session in which it is paid. */
  async checkOut({ id }: Pick<TopUp, 'id'>): Promise<string> {
    const { body } = await this.account.client.post(`/api/topups/${id}/checkout`);
    return this.#stripe.idIn(body.url);
  }

  /** The top-up as an administrator sees it. */
  async read({ number }: Pick<TopUp, 'number'>): Promise<TopUp> {
    return (await this.#panel.admin.get(`/api/topups?q=${number}`)).body.items[0];
  }

  async balance(): Promise<number> {
    const { credits } = await this.#panel.services.db
      .selectFrom('auth_users')
      .select('credits')
      .where('id', '=', this.account.id)
      .executeTakeFirstOrThrow();
    return credits;
  }

  /** Titles of the account's notifications, oldest first. */
  async told(): Promise<string[]> {
    const rows = await this.#panel.services.db
      .selectFrom('notifications')
      .select('title')
      .where('account_id', '=', this.account.id)
      .orderBy('id')
      .execute();
    return rows.map(({ title }) => title);
  }

  /** Removes credits, as a sale would. */
  async spend(amount: number): Promise<void> {
    await this.#panel.admin.post(`/api/accounts/${this.account.id}/credits/take-back`, { amount });
  }
}
