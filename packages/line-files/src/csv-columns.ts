import { lineDetails, ofLineDetails } from '@linekeeper/contract/fields/line-details.ts';
import type { LineField } from './faults.ts';
import { plain } from './plain.ts';

/** The field of each column of a file; null if the column is not read. */
export type Mapping = readonly (LineField | null)[];

/**
 * Headings in the panel's four languages, and those of other panels, in small letters and digits
 * only. If two columns match one field, the column with the heading that is listed first wins.
 */
const headings: Record<LineField, string> = {
  ...ofLineDetails((name) => `${plain(name)} ${lineDetails[name].headings ?? ''}`.trim()),
  username:
    'username user login line benutzername benutzer nazwauzytkownika uzytkownik nomedeutilizador utilizador nomedeusuario usuario',
  password: 'password pass pwd passwd passwort kennwort haslo palavrapasse senha',
  subscription_months:
    'subscriptionmonths months duration subscription monate laufzeit miesiace okres meses duracao',
  is_trial: 'istrial trial test testlinie probny probna testowa teste',
  expiry_date:
    'expirydate expiry expires expire expiration expirationdate expiredate expdate exp enddate end validuntil validto paiduntil ablaufdatum ablauf gultigbis gueltigbis lauftab enddatum bis datawygasniecia wygasa waznado waznedo datadevalidade validade validoate expira vencimento',
  server: 'server servername serwer servidor',
  plan: 'plan planname tarif tarifname nazwaplanu plano nomedoplano',
  owner: 'owner owneremail reseller reselleremail eigentumer wlasciciel proprietario revendedor',
  enabled:
    'enabled adminenabled isenabled active isactive aktiv eingeschaltet aktywna aktywny wlaczona ativa ativo',
  disabled:
    'disabled admindisabled isdisabled disabledat banned isbanned bannedat blocked isblocked suspended issuspended suspendedat locked islocked deleted isdeleted deletedat inactive inaktiv gesperrt ausgeschaltet nieaktywna zawieszona zablokowana wylaczona inativa suspensa bloqueada desativada',
  status: 'status state accountstatus linestatus userstatus zustand stan estado',
  added_date:
    'startdate addeddate added createdat created creationdate dateadded erstellt dodano adicionada',
  protocol: 'protocol protokoll protokol protocolo',
  host_port: 'hostport host hosts',
};

const placeByHeading = new Map(
  (Object.keys(headings) as LineField[]).flatMap((field) =>
    headings[field].split(' ').map((heading, rank) => [heading, { field, rank }] as const),
  ),
);

export const fieldNamed = (heading: string) => placeByHeading.get(plain(heading))?.field ?? null;

/**
 * Fields that several columns may have, such as a ban by an administrator and one by the owner, and the notes of both.
 */
const repeatable: readonly LineField[] = ['enabled', 'disabled', 'status', 'notes'];
/** Fields of the price, which are ignored if the file has the last day. */
const priceFields: readonly LineField[] = ['subscription_months', 'is_trial'];

/**
 * Guesses a field for each column from its heading; null for a column that is not imported. If several columns match a
 * field, it gets the best one; only columns with an expiry date are all read, because it is uncertain which is right.
 * Months and trials are left out if the file has an expiry date. In lists of Xtream UI and XC_VM with "Status" and
 * "Online", "Active" counts connections.
 */
export function guessMapping(columns: readonly string[]): Mapping {
  const names = columns.map(plain);
  const countsConnections = names.includes('status') && names.includes('online');
  const found = names.map((name) =>
    name === 'active' && countsConnections ? undefined : placeByHeading.get(name),
  );
  const hasDay = found.some((match) => match?.field === 'expiry_date');
  return found.map((match, column) => {
    if (!match) return null;
    if (hasDay && priceFields.includes(match.field)) return null;
    if ([...repeatable, 'expiry_date'].includes(match.field)) return match.field;
    const isBetter = found.some((other, index) => {
      if (other?.field !== match.field) return false;
      return other.rank < match.rank || (other.rank === match.rank && index < column);
    });
    return isBetter ? null : match.field;
  });
}

/** Assigns a field to a column and removes it from any other column. */
export function withColumnMapped(
  mapping: Mapping,
  column: number,
  field: LineField | null,
): Mapping {
  return mapping.map((current, index) => {
    if (index === column) return field;
    return current === field && field !== null && !repeatable.includes(field) ? null : current;
  });
}
