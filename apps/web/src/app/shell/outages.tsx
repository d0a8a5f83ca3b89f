import { useQuery } from '@tanstack/react-query';
import { outagesQuery } from '#domain/servers/outage-queries.ts';
import { useCan } from '#platform/data/session.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';

const OutageStrips = lazyPart(() => import('./outage-strip.tsx'), 'OutageStrips', {
  isPart: true,
});

/** The strip about servers that do not respond. Its code is not loaded while all servers respond. */
export function OutageStrip() {
  return useCan(['view_users']) ? <Strips /> : null;
}

function Strips() {
  const { data } = useQuery(outagesQuery());
  if (!data || data.items.length + data.over.length === 0) return null;
  return <OutageStrips outages={data} />;
}
