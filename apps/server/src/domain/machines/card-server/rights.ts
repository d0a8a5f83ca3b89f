import {
  type OscamRight,
  type OscamRights,
  optionsOf,
  type Rights,
} from '@linekeeper/contract/servers/rights.ts';

/**
 * The rights to write on a card server. A setting is null if an earlier plan gave it and none gives it any more. A
 * setting that is absent stays as the card server has it.
 */
export interface RightsToWrite {
  oscam?: Partial<Record<OscamRight, string | null>>;
  /** What follows username and password in an F line. */
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
