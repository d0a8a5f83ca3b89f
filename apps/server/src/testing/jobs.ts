import type { Job } from '@linekeeper/contract/lines/bulk.ts';
import { expect, vi } from 'vitest';
import type { TestClient, TestReply } from './client.ts';

const PATH = '/api/lines/bulk';

export function requestBulk(client: TestClient, body: object): Promise<TestReply> {
  return client.post(PATH, body);
}

export async function previewBulk(client: TestClient, body: object): Promise<Job> {
  const reply = await client.post(PATH, { ...body, preview: true });
  expect([reply.status, reply.body.code]).toEqual([200, undefined]);
  return reply.body.job;
}

export async function readJob(client: TestClient, id: string | null, items = 'all'): Promise<Job> {
  return (await client.get(`/api/jobs/${id}?items=${items}`)).body;
}

/** Waits until a job has ended. */
export async function jobEnd(
  client: TestClient,
  id: string | null,
  timeout = 120_000,
): Promise<Job> {
  const isOver = async () => expect((await readJob(client, id, 'none')).finished_at).not.toBeNull();
  await vi.waitFor(isOver, { timeout, interval: 50 });
  return readJob(client, id);
}

/** Runs a job and returns it after its end. */
export async function runBulk(client: TestClient, body: object): Promise<Job> {
  const reply = await requestBulk(client, body);
  expect([reply.status, reply.body.code]).toEqual([200, undefined]);
  return jobEnd(client, reply.body.job.id);
}

export async function undoBulk(client: TestClient, id: string | null): Promise<Job> {
  const reply = await client.post(`/api/jobs/${id}/undo`);
  expect([reply.status, reply.body.code]).toEqual([200, undefined]);
  return jobEnd(client, reply.body.job.id);
}

/** The effects on each line, to compare a preview with its job. */
export function effects({ items }: Job) {
  return items.map(({ username, before, after, cost }) => ({ username, before, after, cost }));
}
