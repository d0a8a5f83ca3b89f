import { addMonths, today } from '@linekeeper/contract/dates.ts';
import { version } from '../../platform/config/version.ts';
import { eventually } from '../eventually.ts';
import { ADMIN } from '../panel.ts';
import { openAccounts, type People, signInAndOut } from './accounts.ts';
import { moveCredits, offerPlans, payForCredits, setPrices } from './credits.ts';
import { keepBook, sellLines, workOnMany } from './lines.ts';
import { type Example, Recorder } from './recorder.ts';
import { awaitAgent, lookAtServers, openServers, type Servers } from './servers.ts';
import { only, openShop, type Shop, TIME_ZONE } from './shop.ts';
import { helpPeople, lookAtOneself, lookBack } from './support.ts';

/** Makes every call of the contract once, with the account that would make it, and returns the requests and replies. */
export async function recordExamples(): Promise<Record<string, Example>> {
  const startedAt = new Date();
  const shop = await openShop();
  const recorder = new Recorder();
  try {
    const servers = await openServers(shop, recorder);
    const secrets = await awaitAgent(shop, recorder);
    const people = await openAccounts(shop, recorder);
    const day = today(TIME_ZONE);
    const line = await sellLines(recorder, people);
    await keepBook(recorder, people);
    await workOnMany(shop, recorder, people, servers, line);
    await lookAtServers(shop, recorder, servers);
    await moveCredits(shop, recorder, people);
    await offerPlans(shop, recorder, people, servers, line);
    await setPrices(recorder, people);
    await payForCredits(shop, recorder, people);
    await helpPeople(shop, recorder, people);
    await lookAtOneself(shop, recorder, people);
    await lookBack(shop, recorder, people, line);
    await signInAndOut(shop, recorder, people, addMonths(day, 12));
    await removeRest(shop, recorder, people, servers, line);
    const portOf = (url: string) => new URL(url).port;
    const replaced = new Map([
      ...secrets,
      [shop.panel.url, 'https://panel.example'],
      [shop.stripe.url, 'https://checkout.stripe.com'],
      [shop.frankfurt.url, 'http://203.0.113.10:3000'],
      [shop.warsaw.url, 'http://203.0.113.20:3000'],
      [`"api_port":${portOf(shop.frankfurt.url)}`, '"api_port":3000'],
      [`"api_port":${portOf(shop.warsaw.url)}`, '"api_port":3000'],
      ['"host_ip":"127.0.0.1"', '"host_ip":"203.0.113.10"'],
      ['127.0.0.1', '203.0.113.77'],
      [ADMIN.password, 'silver-orchard-5'],
      [`"${version}"`, '"1.9.0"'],
    ]);
    return recorder.all({ startedAt, timeZone: TIME_ZONE, replaced });
  } finally {
    await shop.stop();
  }
}

async function removeRest(
  { panel: { admin } }: Shop,
  recorder: Recorder,
  { kaethe, rui }: People,
  { warsaw }: Servers,
  line: string,
): Promise<void> {
  await recorder.call(kaethe.client, 'deleteLine', only(line));
  await recorder.call(admin, 'banAccount', { ...only(rui.id), body: { suspend_lines: true } });
  await recorder.call(admin, 'unbanAccount', { ...only(rui.id), body: { resume_lines: true } });
  // The old server removes the moved lines in the background.
  await eventually(async () => {
    const { deletions_due } = (await admin.get(`/api/servers/${warsaw}`)).body;
    if (deletions_due > 0) throw new Error(`${deletions_due} deletions are due`);
  });
  await recorder.call(admin, 'deleteServer', { ...only(warsaw), query: { force: 'false' } });
  await recorder.call(kaethe.client, 'signOut');
}
