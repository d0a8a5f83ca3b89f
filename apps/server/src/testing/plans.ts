import type { TestClient } from './client.ts';

let made = 0;

/** Adds a plan with one term of a month for 3 credits, unless `more` says otherwise. Returns its id. */
export async function addPlan(
  { admin }: { admin: TestClient },
  more: object = {},
): Promise<string> {
  const terms = [{ months: 1, credits: 3 }];
  const { status, body } = await admin.post('/api/plans', {
    name: `Plan ${++made}`,
    terms,
    ...more,
  });
  if (status !== 201) throw new Error(`The plan was refused: ${JSON.stringify(body)}`);
  return body.plan.id;
}
