import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { useTranslation } from 'react-i18next';
import type { Trouble } from '#domain/servers/trouble.ts';
import { useShortMoment } from '#features/servers/use-reload-text.ts';
import { useServerProblem } from '#features/servers/use-server-problem.ts';
import { useFindingText } from '#platform/i18n/use-finding-text.ts';

/** Returns the title and the explanation of a server's problem, with its remedy. */
export function useTroubleTexts() {
  const { t } = useTranslation('servers');
  const { t: common } = useTranslation();
  const findingText = useFindingText();
  const serverProblem = useServerProblem();
  const shortMoment = useShortMoment();
  return (server: Server, { cause, finding, count, since }: Trouble) => {
    const { problem, advice } = serverProblem(finding, server);
    const found = finding ? findingText(finding) : '';
    switch (cause) {
      case 'noAnswer':
      case 'noAccess':
        return { title: problem, text: advice };
      case 'lost':
        return { title: t('lost.title', { count }), text: t('lost.advice') };
      case 'keptByHand':
        return { title: t('takeOver.title', { count }), text: t('takeOver.advice') };
      case 'notLoaded':
        return {
          title: count > 0 ? common('notLoaded.title', { count }) : common('notLoaded.failing'),
          text: [found, since && common('notLoaded.since', { time: shortMoment(since) })]
            .filter(Boolean)
            .join(' '),
        };
      case 'untested':
        return {
          title: t('page.state.inactive'),
          text: finding && [problem, advice].filter(Boolean).join(' '),
        };
      case 'nobodyTells':
        return { title: t('nobodyTells.title'), text: found };
      default:
        return { title: common(`notLoaded.${cause}`), text: found };
    }
  };
}
