import type { Incident, ServerHealth } from '@linekeeper/contract/servers/health.ts';
import { CircleX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useProblemText } from '#features/servers/use-server-problem.ts';
import { Card } from '#kit/ui/card.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { Caption, Muted, Row, Strong, Text } from '#kit/ui/vocabulary.tsx';
import styles from './server-health.module.css';
import { useLengthText } from './use-health-texts.ts';

interface IncidentsProps {
  health: ServerHealth;
  /** The server is still active: what has not ended is a failed check or two, and the next one decides. */
  isActive: boolean;
}

export function Incidents({ health: { incidents, incident_count }, isActive }: IncidentsProps) {
  const { t } = useTranslation('servers');
  return (
    <Card title={t('health.incidentsTitle')} flush className={styles.incidents}>
      {incidents.length === 0 ? (
        <Muted as="p">{t('health.noIncidents')}</Muted>
      ) : (
        <ul>
          {incidents.map((incident) => (
            <OneIncident key={incident.id} incident={incident} isActive={isActive} />
          ))}
        </ul>
      )}
      {incident_count > incidents.length && (
        <Muted as="p">
          {t('health.newest', { shown: incidents.length, count: incident_count })}
        </Muted>
      )}
    </Card>
  );
}

interface OneIncidentProps extends Pick<IncidentsProps, 'isActive'> {
  incident: Incident;
}

function OneIncident({ incident, isActive }: OneIncidentProps) {
  const { t } = useTranslation('servers');
  const problemText = useProblemText();
  const lengthText = useLengthText();
  const { began_at, ended_at, failed, finding } = incident;
  return (
    <Row as="li" gap={16}>
      <CircleX size={20} color="var(--error-fg)" />
      <Text as="div" grow wraps>
        <Strong>{problemText(finding)}</Strong>
        <Caption as="p">
          <Timestamp value={began_at} />
          {', '}
          {t('health.failedChecks', { count: failed })}
        </Caption>
      </Text>
      <Strong as="strong" rigid>
        {ended_at
          ? lengthText(Date.parse(ended_at) - Date.parse(began_at))
          : t(isActive ? 'health.again' : 'health.lasting')}
      </Strong>
    </Row>
  );
}
