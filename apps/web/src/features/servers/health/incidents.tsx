import type { Incident, ServerHealth } from '@linekeeper/contract/servers/health.ts';
import { CircleX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../shared/format/format-number.ts';
import { Card } from '../../../shared/ui/card.tsx';
import { Timestamp } from '../../../shared/ui/timestamp.tsx';
import { useServerProblem } from '../use-server-problem.ts';
import styles from './server-health.module.css';

interface IncidentsProps {
  health: ServerHealth;
  apiPort: number;
}

export function Incidents({ health: { incidents, incident_count }, apiPort }: IncidentsProps) {
  const { t } = useTranslation('servers');
  return (
    <Card title={t('health.incidentsTitle')} flush className={styles.incidents}>
      {incidents.length === 0 ? (
        <p>{t('health.noIncidents')}</p>
      ) : (
        <ul>
          {incidents.map((incident) => (
            <OneIncident key={incident.id} incident={incident} apiPort={apiPort} />
          ))}
        </ul>
      )}
      {incident_count > incidents.length && (
        <p>{t('health.newest', { shown: incidents.length, count: incident_count })}</p>
      )}
    </Card>
  );
}

function OneIncident({ incident, apiPort }: { incident: Incident; apiPort: number }) {
  const { t } = useTranslation('servers');
  const serverProblem = useServerProblem();
  const lengthText = useLengthText();
  const { began_at, ended_at, failed, finding } = incident;
  return (
    <li>
      <CircleX size={20} aria-hidden="true" />
      <div>
        <b>{serverProblem(finding, apiPort).problem}</b>
        <p>
          <Timestamp value={began_at} />
          {', '}
          {t('health.failedChecks', { count: failed })}
        </p>
      </div>
      <strong>{ended_at ? lengthText(began_at, ended_at) : t('health.lasting')}</strong>
    </li>
  );
}

/** Whole minutes, at least one; hours from one on, days from two on. */
function useLengthText() {
  const { t, i18n } = useTranslation('servers');
  const number = (value: number) => formatNumber(value, i18n.language);
  return (from: string, to: string) => {
    const minutes = Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / 60_000));
    const hours = Math.floor(minutes / 60);
    if (hours >= 48) return t('health.days', { count: Math.floor(hours / 24) });
    if (hours === 0) return t('health.minutes', { minutes: number(minutes) });
    return t('health.hoursAndMinutes', { hours: number(hours), minutes: number(minutes % 60) });
  };
}
