import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { type Plan, serversOfPlan, servesOf } from '#domain/prices/plans.ts';
import { serverChoicesQuery, takesLines, useJoined } from '#domain/servers/server-choices.ts';
import { SelectInput } from '#kit/forms/fields/select-input.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { useMe } from '#platform/data/session.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import type { NewLineForm } from './add-line-types.ts';
import { FixedRow, Folds } from './fold.tsx';
import { serverOption } from './server-option.ts';

interface ServerFieldProps {
  control: NewLineForm['control'];
  choice: ServerChoice;
}

const whyGone = {
  error: 'add.serverInError',
  inactive: 'add.serverInactive',
  closed: 'add.serverClosed',
  full: 'add.serverFull',
  // The server accepts lines again after its refusal.
  active: 'add.newestActive',
} as const;

export function ServerField({ control, choice }: ServerFieldProps) {
  const { t } = useTranslation('lines');
  const errorText = useErrorText();
  const { active, gone, isReplaced, isNone, isAnyActive, serves } = choice;
  if (isNone) {
    const title = errorText(isAnyActive ? 'NO_SERVER_TAKES_LINES' : 'NO_ACTIVE_SERVERS');
    return (
      <Banner tone="warning" title={title} action={<HelpButton title={title} />}>
        {t('add.noServersHelp')}
      </Banner>
    );
  }
  if (serves === 'fewest') return null;
  if (serves === 'all') {
    return (
      <Folds>
        <AllServers choice={choice} />
      </Folds>
    );
  }
  const options = active.map((server, index) => ({
    ...serverOption(server),
    ...(index === 0 && { description: t('add.newestActive') }),
  }));
  if (gone?.server) {
    const { status, takes_no_lines } = gone.server;
    options.push({
      ...serverOption(gone.server),
      description: t(whyGone[(status === 'active' && takes_no_lines) || status]),
      disabled: true,
    });
  }
  return (
    <SelectInput
      control={control}
      name="server_id"
      label={t('field.server')}
      options={options}
      hint={isReplaced && t('add.serverReplaced')}
      problem={gone && t('add.serverGone')}
    />
  );
}

/** The servers of a line that is on all of its plan's. */
export function AllServers({ choice: { servers } }: Pick<ServerFieldProps, 'choice'>) {
  const { t } = useTranslation('lines');
  const joined = useJoined();
  return <FixedRow title={t('field.servers')} value={joined(servers)} />;
}

/**
 * The button for help: administrators, who can help themselves, get a link to the servers; others a
 * ticket with its title filled in.
 */
function HelpButton({ title }: { title: string }) {
  const { t } = useTranslation('lines');
  const { is_admin } = useMe();
  return is_admin ? (
    <ButtonLink size="small" to="/cccam-servers/manage">
      {t('nav.servers')}
    </ButtonLink>
  ) : (
    <ButtonLink size="small" to="/tickets/new" search={{ title }}>
      {t('recurring.askAdministrator')}
    </ButtonLink>
  );
}

/**
 * Keeps the server of a new line valid if the plan changes, or if a server fails, fills up or is closed while the form
 * is open: a preselected server is replaced by the newest active one of the plan; a server the seller chose is kept and
 * reported as unavailable.
 */
export function useServerChoice({ control, setValue }: NewLineForm, plan: Plan | undefined) {
  const { data = [], isSuccess } = useQuery(serverChoicesQuery());
  const id = useWatch({ control, name: 'server_id' });
  const [offered, setOffered] = useState({ id, planId: plan?.id, isReplaced: false });
  const servers = serversOfPlan(plan, data);
  const active = servers.filter(takesLines);
  const newest = active[0]?.id;
  const isSamePlan = plan?.id === offered.planId;
  const isChosen = isSamePlan && id !== offered.id;
  const isGone = newest !== undefined && !active.some((server) => server.id === id);
  useEffect(() => {
    if (isSamePlan && (!isGone || isChosen)) return;
    if (isGone) setValue('server_id', newest);
    setOffered({
      id: isGone ? newest : id,
      planId: plan?.id,
      isReplaced: isSamePlan && id !== undefined,
    });
  }, [isGone, isChosen, isSamePlan, newest, id, plan?.id, setValue]);
  const serves = servesOf(plan);
  const isOne = serves === 'one';
  return {
    serves,
    /** The plan's servers in their order; empty for a plan of every server. */
    servers: plan?.servers ?? [],
    active: isOne ? active : [],
    /** The id of the server in the request, or, without one, of the server for which the name is checked. */
    serverId: isOne ? id : plan?.servers[0]?.server_id,
    gone:
      isOne && isGone && isChosen ? { server: data.find((server) => server.id === id) } : undefined,
    isReplaced: isOne && offered.isReplaced && !isChosen,
    // A line on all servers of its plan can be sold while some do not respond: they get it later.
    isNone: isSuccess && newest === undefined && serves !== 'all',
    isAnyActive: data.some(({ status }) => status === 'active'),
  };
}

export type ServerChoice = ReturnType<typeof useServerChoice>;
