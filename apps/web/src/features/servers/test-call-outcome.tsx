import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { usePushMessage } from '../../shared/i18n/use-push-message.ts';
import { showNumber } from '../../shared/show-number.ts';
import { Banner } from '../../shared/ui/banner.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { serverQuery } from './queries.ts';
import { readServerMessage } from './server-message.ts';
import styles from './test-api.module.css';
import type { MadeCall } from './test-call-form.ts';
import { useServerMessage } from './use-server-message.ts';

/** What was sent, what came back and what that means. */
export function TestCallOutcome({ made: { outcome, serverId } }: { made: MadeCall }) {
  const { t, i18n } = useTranslation('servers');
  const { request, reply, ms, message } = outcome;
  return (
    <Card title={t('call.outcome')} className={styles.outcome}>
      {message === null ? (
        <Banner tone="success" title={t('call.ok')} />
      ) : (
        <Failed message={message} serverId={serverId} />
      )}
      {request && (
        <section>
          <h3>{t('call.request')}</h3>
          <pre>{requestText(request)}</pre>
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
              value={`${showNumber(ms, i18n.language)} ${t('card.milliseconds')}`}
            />
          </dl>
        )}
      </section>
    </Card>
  );
}

/** The panel's own sentences in the reader's language, and what to do about them. */
function Failed({ message, serverId }: { message: string; serverId: string }) {
  const serverMessage = useServerMessage();
  const pushMessage = usePushMessage();
  const { data: server } = useQuery(serverQuery(serverId));
  if (!readServerMessage(message)) return <Banner tone="error" title={pushMessage(message)} />;
  const { problem, advice } = serverMessage(message, server?.api_port ?? 0);
  return (
    <Banner tone="error" title={problem}>
      {server && <p>{advice}</p>}
    </Banner>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function requestText(request: NonNullable<MadeCall['outcome']['request']>): string {
  const { method, url, headers, body } = request;
  const head = [
    `${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return body ? `${head.join('\n')}\n\n${JSON.stringify(body, null, 2)}` : head.join('\n');
}
