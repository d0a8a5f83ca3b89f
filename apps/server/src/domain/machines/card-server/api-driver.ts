import type { Outbound } from '../../../platform/http-client/request.ts';
import { connect } from './check-connection.ts';
import { applyWanted, type CardServer } from './client.ts';
import type { CardServerDriver } from './driver.ts';
import { isByHand, listAccounts, showAccounts } from './list-accounts.ts';
import { endSessions, readSessions } from './read-sessions.ts';
import { reread } from './reread.ts';
import { takeOver } from './take-over.ts';

/** Speaks the API that an agent offers. A suspended line has no account there. */
export function apiDriver(outbound: Outbound, server: CardServer): CardServerDriver {
  return {
    test: (signal) => connect(outbound, server, signal),
    put: ({ username, is_suspended, ...wanted }, options) =>
      applyWanted(outbound, server, username, is_suspended ? null : wanted, options),
    remove: (username, { onServer, signal }) =>
      applyWanted(outbound, server, username, null, { onServer, signal }),
    list: (signal) => listAccounts(outbound, server, signal),
    show: (usernames, signal) => showAccounts(outbound, server, usernames, signal),
    isByHand: (username, signal) => isByHand(outbound, server, username, signal),
    takeOver: (lines, signal) => takeOver(outbound, server, lines, signal),
    reread: (signal) => reread(outbound, server, signal),
    sessions: (signal) => readSessions(outbound, server, signal),
    endSessions: (line, signal) => endSessions(outbound, server, line, signal),
  };
}
