import {
  HIGHEST_GROUP,
  isServiceName,
  type OscamRight,
  type OscamRights,
  optionsOf,
  type Rights,
} from '@linekeeper/contract/servers/rights.ts';
import type { RightsChoices } from '@linekeeper/oscam/user-file.ts';
import type { JsonObject } from '../../../platform/http-client/request.ts';
import { wholeNumber } from './agent-report.ts';
import { isObject } from './messages.ts';

const MOST_READERS = 10_000;

/** The choices in a response of a card server that a plan can name; null for anything else. */
export function choicesOf({ groups, services }: JsonObject): RightsChoices | null {
  if (!Array.isArray(groups) || !Array.isArray(services)) return null;
  const known = groups.filter(isObject).flatMap((one) => {
    const group = wholeNumber(one.group, 1, HIGHEST_GROUP);
    const readers = wholeNumber(one.readers, 0, MOST_READERS);
    return group === null || readers === null ? [] : [{ group, readers }];
  });
  const named = services.filter((name) => typeof name === 'string' && isServiceName(name));
  return { groups: known, services: named };
}

/**
 * The rights to write on a card server. A setting is null if an earlier plan gave it and none gives it any more. A
 * setting that is absent stays as the card server has it.
 */
export interface RightsToWrite {
  oscam?: Partial<Record<OscamRight, string | null>>;
  /** The options behind username and password in an F line. */
  cccam?: string | null;
}

/** The settings to write for `rights` after `before` was delivered; undefined if there are none. */
export function rightsToWrite(
  rights: Rights | undefined,
  before: Rights | undefined,
): RightsToWrite | undefined {
  const said = Object.entries({ ...before?.oscam, ...rights?.oscam }) as [OscamRight, unknown][];
  const given: OscamRights = rights?.oscam ?? {};
  const oscam = said
    .filter(([, value]) => value !== undefined)
    .map(([key]) => [key, given[key] === undefined ? null : String(given[key])] as const);
  const cccam = rights?.cccam ? optionsOf(rights.cccam) : before?.cccam && null;
  if (oscam.length === 0 && cccam === undefined) return undefined;
  return {
    ...(oscam.length > 0 && { oscam: Object.fromEntries(oscam) }),
    ...(cccam !== undefined && { cccam }),
  };
}
