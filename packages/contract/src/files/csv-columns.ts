import type { LineField } from './faults.ts';

/** The field of each column of a file; null if it is not taken. */
export type Mapping = readonly (LineField | null)[];

/**
 * Headings in the panel's languages and those of other panels, in small letters and digits only. Of two
 * columns for one field the one whose heading stands first here counts.
 */
const headings: Record<LineField, string> = {
  username:
    'username user login line lineusername usr benutzer benutzername uzytkownik nazwauzytkownika utilizador nomedeutilizador',
  password: 'password pass pwd passwd linepassword passwort kennwort haslo senha palavrapasse',
  subscription_months:
    'subscriptionmonths months duration subscription monate laufzeit dauer miesiace okres czastrwania meses duracao',
  is_trial: 'istrial trial test testlinie probny probna testowa teste experimental',
  expiry_date:
    'expirydate expiry expires expire expiration expirationdate expiredate expdate exp enddate end validuntil validtill expiresat ablauf ablaufdatum gultigbis datawygasniecia waznado wygasa expira validade datadevalidade',
  server: 'server servername serwer servidor nazwaserwera nomedoservidor',
  owner:
    'owner owneremail ownername reseller reselleremail member parent eigentumer besitzer wlasciciel proprietario revendedor',
  name: 'name fullname displayname customer realname kunde kundenname vorundnachname imieinazwisko klient nome cliente nomecompleto',
  company: 'company firma unternehmen empresa organization',
  email: 'email mail emailaddress emailadresse adresemail correio correioeletronico',
  notes:
    'notes note comment comments description adminnotes resellernotes notiz notizen bemerkung kommentar notatki notatka uwagi notas nota observacoes',
  enabled:
    'enabled adminenabled isenabled enable isenable active isactive activated isactivated valid isvalid aktiv istaktiv aktiviert aktywna aktywny aktywne aktywowana ativo ativa ativado ativada activo activa wlaczona wlaczony',
  disabled:
    'disabled isdisabled disable isdisable banned isbanned ban isban suspended issuspended suspend issuspend blocked isblocked block isblock gesperrt istgesperrt deaktiviert inaktiv zablokowany zablokowana zablokowane zawieszona zawieszony zawieszone wylaczona wylaczony wylaczone nieaktywna nieaktywny nieaktywne usunieta usuniety suspenso suspensa desativado desativada desligado desligada inativo inativa inactivo inactiva bloqueado bloqueada pausado pausada cancelado cancelada eliminado eliminada deleted isdeleted removed isremoved archived isarchived trashed terminated isterminated frozen isfrozen paused ispaused pausiert stopped isstopped gestoppt gekundigt geloscht off isoff locked islocked lock adminlocked admindisabled adminbanned adminblocked adminsuspended inactive isinactive cancelled canceled deactivated closed expired isexpired abgelaufen wygasla wygasly expirado expirada vencido vencida disabledat bannedat suspendedat blockedat lockedat deletedat cancelledat canceledat deactivatedat closedat removedat archivedat terminatedat frozenat pausedat stoppedat gesperrtam',
  status:
    'status state zustand stan estado accountstatus linestatus userstatus statuskonta estadodaconta',
  added_date:
    'addeddate added createdat created creationdate dateadded startdate erstellt utworzono criado',
  info: 'info information informacje informacao',
  live_channel: 'livechannel channel kanal kanallive canal',
  protocol: 'protocol protokoll protokol protocolo',
  host_port: 'hostport host hosts',
  user_value: 'uservalue value wert wartosc valor',
  role: 'role rolle rola funcao',
  avatar_url: 'avatarurl avatar picture bild zdjecie imagem',
};

/** Keeps only lower-case letters and digits, because files spell headings differently. */
export function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/[^a-z0-9]/g, '');
}

const placeByHeading = new Map(
  (Object.keys(headings) as LineField[]).flatMap((field) =>
    headings[field].split(' ').map((heading, rank) => [heading, { field, rank }] as const),
  ),
);

export function fieldNamed(heading: string): LineField | null {
  return placeByHeading.get(plain(heading))?.field ?? null;
}

/** Headings of which yes means that the line has ended: renewed, it runs. */
const ended = [
  'expired',
  'isexpired',
  'abgelaufen',
  'wygasla',
  'wygasly',
  'expirado',
  'expirada',
  'vencido',
  'vencida',
];
export const saysEnded = (heading: string) => ended.includes(plain(heading));

/** Parts of words that say whether something runs, in the panel's languages. */
const OFF_STEM =
  /^(?:ban(?:n?ed|s)?$|block|unblock|disab|susp|inac?tiv|deactiv|inaktiv|deaktiv|expired|delet|lock|frozen|freez|hold$|gesperr|sperr|abgelauf|geloscht|gekund|zawiesz|zablok|blokad|wylacz|nieaktyw|usun|bloque|desativ|deslig|eliminad|cancel|pau[sz]|archiv|terminat|remov|trash|stop|clos|desactiv|inativ|encerrad|abgeschalt|ausgeschalt|stillgeleg|geblock|kundig|abgeklemm|wstrzym|odlacz|switched$|turned$|notactiv|nonactiv|revok|denied|restrict|blacklist|kick)/;
const ON_STEM =
  /^(?:enab|activ|aktiv|aktyw|ativ|wlacz|stat(?:e|us|o)$|estado$|zustand$|kontostat|kontozustand|situacao$|stan$|running$)/;
/** Words beside "active" and its kin where they name no state: last_activity, active_connections. */
const OTHER_THING =
  /^(?:last|letzte|ostatni|ultim|count|num|max|min|total|con(?:n|s|nections?)?$|connect|sessions?$|streams?$|activit|date$|datum$|data$|at$|on$|am$|code$|key$|token$)/;

/** The state that an unknown heading seems to speak of; null if it seems to speak of none. */
export function stateHinted(heading: string): 'off' | 'on' | null {
  if (fieldNamed(heading) !== null) return null;
  const words = heading
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .split(/[^\p{L}\p{M}]+/u)
    .map(plain);
  if (words.some((word) => OFF_STEM.test(word))) return 'off';
  const isOther = words.some((word) => OTHER_THING.test(word));
  return !isOther && words.some((word) => ON_STEM.test(word)) ? 'on' : null;
}

/** Whether the cells below a heading are moments at which lines were switched off. */
export function isMomentOfEnd(heading: string): boolean {
  return fieldNamed(heading) === 'disabled' && /(?:at|am)$/.test(plain(heading));
}

/** What runs is said by several columns at once: an administrator's ban stands beside the owner's. */
const repeatable: readonly LineField[] = ['enabled', 'disabled', 'status'];
/** What a line costs says nothing where its last day is there. */
const pricing: readonly (LineField | null)[] = ['subscription_months', 'is_trial'];

/** Assigns a field to the best heading for it, and none to months where the file has the last day. */
export function guessMapping(columns: readonly string[]): Mapping {
  const found = columns.map((heading) => placeByHeading.get(plain(heading)) ?? null);
  const hasDay = found.some((place) => place?.field === 'expiry_date');
  return found.map((place, column) => {
    if (!place) return null;
    if (hasDay && pricing.includes(place.field)) return null;
    if (repeatable.includes(place.field)) return place.field;
    const isBetter = found.some((other, index) => {
      if (other?.field !== place.field) return false;
      return other.rank < place.rank || (other.rank === place.rank && index < column);
    });
    return isBetter ? null : place.field;
  });
}

/** Assigns a field to a column and takes the field away from any other column. */
export function remapped(mapping: Mapping, column: number, field: LineField | null): Mapping {
  return mapping.map((current, index) => {
    if (index === column) return field;
    return current === field && field !== null && !repeatable.includes(field) ? null : current;
  });
}
