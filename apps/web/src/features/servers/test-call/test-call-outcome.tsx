import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../shared/i18n/format-number.ts';
import { Card } from '../../../shared/ui/card.tsx';
import { Banner } from '../../../shared/ui/states/banner.tsx';
import { TypedText } from '../../../shared/ui/typed-text.tsx';
import { serverQuery } from '../queries.ts';
import { useServerProblem } from '../use-server-problem.ts';
import styles from './test-api.module.css';
import type { MadeCall } from './test-call-form.ts';

type Outcome = MadeCall['outcome'];

/** The request, the response, and an explanation of the result. */
export function TestCallOutcome({ made: { outcome, serverId } }: { made: MadeCall }) {
  const { t, i18n } = useTranslation('servers');
  const { request, reply, ms, ok, finding } = outcome;
  return (
    <Card title={t('call.outcome')} className={styles.outcome}>
      {ok ? (
        <Banner tone="success" title={t('call.ok')} />
      ) : (
        <Failed finding={finding} serverId={serverId} />
      )}
      {request && (
        <section>
          <h3>{t('call.request')}</h3>
          <pre>
            <TypedText>{requestText(request)}</TypedText>
          </pre>
        </section>
      )}
      <section>
        <h3>{t('call.reply')}</h3>
        {reply ? (
          <dl className={styles.facts}>
            <Fact name={t('call.status')} value={String(reply.status)} />
            <Fact name={t('call.message')} value={reply.message ?? t('call.none')} />
            {reply.version && <Fact name={t('test.version')} value={reply.version} />}
          </dl>
        ) : (
          <p>{t('call.noReply')}</p>
        )}
        {ms !== null && (
          <dl className={styles.facts}>
            <Fact
              name={t('call.took')}
              value={`${formatNumber(ms, i18n.language)} ${t('card.milliseconds')}`}
            />
          </dl>
        )}
      </section>
    </Card>
  );
}

/** The translated finding, with advice. */
function Failed({ finding, serverId }: Pick<Outcome, 'finding'> & { serverId: string }) {
  const serverProblem = useServerProblem();
  const { data: server } = useQuery(serverQuery(serverId));
  const { problem, advice } = serverProblem(finding, server?.api_port ?? 0);
  // A finding about a line says nothing about the server's settings.
  const isAboutServer = finding?.data.operation === undefined;
  return (
    <Banner tone="error" title={problem}>
      {server && isAboutServer && <p>{advice}</p>}
    </Banner>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <TypedText>{value}</TypedText>
      </dd>
    </div>
  );
}

function requestText(request: NonNullable<Outcome['request']>): string {
  const { method, url, headers, body } = request;
  const head = [
    `${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return body ? `${head.join('\n')}\n\n${JSON.stringify(body, null, 2)}` : head.join('\n');
}
