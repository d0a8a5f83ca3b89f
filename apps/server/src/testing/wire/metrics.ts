import { TestClient } from '../client.ts';

/** Values of GET /metrics by name and labels in their text form. */
export async function metricsOf(url: string): Promise<Record<string, number>> {
  const { body } = await new TestClient(url).get('/metrics');
  const lines = String(body)
    .split('\n')
    .filter((line) => line && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}
