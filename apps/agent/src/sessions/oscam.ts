import { openWhoIsOn } from '@linekeeper/oscam/who-is-on.ts';
import { refusalOf } from '../refusal.ts';
import type { WebifSettings } from '../reload/settings.ts';
import { openAsk } from '../reload/webif.ts';
import type { SessionsSource } from './who-is-on.ts';

/** OSCam's web interface says who is on. */
export function openOscamSessions(settings: WebifSettings, deadlineMs: number): SessionsSource {
  const closing = new AbortController();
  const { read, end } = openWhoIsOn(openAsk(settings, { deadlineMs, closing: closing.signal }));
  return {
    file: 'oscam.user',
    read,
    async end(isAccount) {
      return (await end(isAccount)) ?? Promise.reject(refusalOf(409, 'SESSIONS_HIDDEN'));
    },
    close() {
      closing.abort(new Error('ECANCELED'));
    },
  };
}
