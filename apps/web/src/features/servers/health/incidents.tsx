import type { Incident, ServerHealth } from '@linekeeper/contract/servers/health.ts';
import { CircleX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useProblemText } from '#features/servers/use-server-problem.ts';
import { Card } from '#kit/ui/card.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { useLengthText } from './use-health-texts.ts';

interface IncidentsProps {
  health: ServerHealth;
  /** True if the server is still active: the open incident is one or two failed checks, and the next check decides. */
  isActive: boolean;
}

export function Incidents({ health: { incidents, incident_count }, isActive }: IncidentsProps) {
  const { t } = useTranslation('servers');
  return (
    <Card
      title={t('health.incidentsTitle')}
      flush
      className="[&>p]:pt-0 [&>p]:px-(--card-pad) [&>p]:pb-6 [&_li]:py-4 [&_li]:px-(--card-pad) [&_li]:border-t [&_li]:border-t-divider small-phone:[&_li]:flex-wrap small-phone:[&_li>strong]:basis-full small-phone:[&_li>strong]:ps-9"
    >
      {incidents.length === 0 ? (
        <p className="text-text-2">{t('health.noIncidents')}</p>
      ) : (
        <ul>
          {incidents.map((incident) => (
            <OneIncident key={incident.id} incident={incident} isActive={isActive} />
          ))}
        </ul>
      )}
      {incident_count > incidents.length && (
        <p className="text-text-2">
          {t('health.newest', { shown: incidents.length, count: incident_count })}
        </p>
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
    <li className="flex items-center gap-4">
      <CircleX size={20} color="var(--color-error-fg)" />
      <div className="flex-1 min-w-0 wrap-anywhere">
        <b className="type-strong">{problemText(finding)}</b>
        <p className="text-text-2 type-caption">
          <Timestamp value={began_at} />
          {', '}
          {t('health.failedChecks', { count: failed })}
        </p>
      </div>
      <strong className="flex-none type-strong">
        {ended_at
          ? lengthText(Date.parse(ended_at) - Date.parse(began_at))
          : t(isActive ? 'health.again' : 'health.lasting')}
      </strong>
    </li>
  );
}
