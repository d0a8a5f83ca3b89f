import { lineTexts, ofLineTexts } from '../fields/line-texts.ts';
import type { LineField } from './faults.ts';
import { plain, wordsOf } from './plain.ts';
import { meaningOfYes } from './states.ts';

/** The field of each column of a file; null if the column is not taken. */
export type Mapping = readonly (LineField | null)[];

/**
 * Headings in the panel's languages and in those of other panels, in small letters and digits only. If two columns
 * match one field, the heading listed first wins.
 */
const headings: Record<LineField, string> = {
  ...ofLineTexts((name) => `${plain(name)} ${lineTexts[name].headings}`),
  username:
    'username user login line lineusername usr benutzer benutzername uzytkownik nazwauzytkownika utilizador nomedeutilizador usuario nomedeusuario nombredeusuario kullaniciadi nomeusuario nomeutilizador usuariodalinha nutzer nutzername benutzerkennung anmeldename loginname kontoname kundenlogin userlogin accountname uzytkownicy nazwakonta nazwalinii nazwalogowania loginklienta logowanie',
  password:
    'password pass pwd passwd linepassword passwort kennwort haslo senha palavrapasse pswd userpassword userpass loginpassword benutzerpasswort zugangspasswort kundenpasswort nutzerpasswort losungswort haslouzytkownika haslolinii hasloklienta senhadousuario senhadalinha senhadeacesso contrasena motdepasse wachtwoord sifre',
  subscription_months:
    'subscriptionmonths months duration subscription monate laufzeit dauer miesiace okres czastrwania meses duracao numberofmonths anzahlmonate laufzeitmonate laufzeitinmonaten liczbamiesiecy iloscmiesiecy miesiecy numerodemeses mesescontratados',
  is_trial: 'istrial trial test testlinie probny probna testowa teste experimental',
  expiry_date:
    'expirydate expiry expires expire expiration expirationdate expiredate expdate exp enddate end validuntil validtill expiresat ablauf ablaufdatum gultigbis datawygasniecia waznado wygasa expira validade datadevalidade ende enddatum bis bezahltbis aktivbis laufzeitende gultig waznydo waznosc koniec datakonca oplaconedo validto paiduntil paidtill paidto activeuntil expdt expiryunix vencimento datadevencimento vence caduca caducidad fechadecaducidad fechadevencimiento hasta scadenza datadiscadenza vervaldatum einddatum geldigtot datedefin datefin dateexpiration echeance bitis bitistarihi sontarih expireson expireat expirytime expirationtime expiretime validthru validthrough goodthru goodthrough goodtill gooduntil endsat endson ends enddt accountexpires accountexpiry subscriptionend subscriptionends subscriptionexpires subscriptionexpiry subend lineexpiry lastday waznedo waznoscdo datawaznosci terminwaznosci waznydodnia waznadodnia waznedodnia waznosckonta wygasadnia wygasniecie datawygasnieciakonta datazakonczenia konczysie koniecabonamentu konieckonta oplaconydo oplaconado zaplaconodo zaplaconedo aktywnydo aktywnado aktywnedo abonamentdo aktywnedodnia ostatnidzien termindo lauftbis laeuftbis lauftab laeuftab lauftabam laeuftabam lauftaus laufzeitbis gueltigbis gueltig gultigbiszum gueltigbiszum endetam endet endedatum vertragsende vertragbis abobis aboende aboendedatum verfallsdatum verfalldatum verfalltam verfallt ablaufam lauftbiszum ablauftag bezahltbiszum gezahltbis freigeschaltetbis freigegebenbis letztertag gultigkeitbis gultigkeitsende datadeexpiracao dataexpiracao datadaexpiracao expiracao expiraem expiradia validoate validaate validadeate venceem vencedia datavencimento datadovencimento dataexpira datafim datadofim datadefim datadetermino termino terminaem fim fimdaassinatura terminus pagoate ativoate ultimodia',
  server: 'server servername serwer servidor nazwaserwera nomedoservidor',
  owner:
    'owner owneremail ownername reseller reselleremail member parent eigentumer besitzer wlasciciel proprietario revendedor revenda revendedora dono wiederverkaufer wiederverkaeufer odsprzedawca resellermail',
  enabled:
    'enabled adminenabled isenabled enable isenable active isactive activated isactivated valid isvalid aktiv istaktiv aktiviert aktywna aktywny aktywne aktywowana ativo ativa ativado ativada activo activa wlaczona wlaczony ison isallowed allowed isrunning habilitado habilitada attivo attiva actif actief aktif freigeschaltet zugelassen',
  // Headings of `disabled` are also all words for off and for ended.
  disabled: '',
  status:
    'status state zustand stan estado accountstatus linestatus userstatus statuskonta estadodaconta situacao situacaodaconta situacaodalinha situacaodocliente statusdaconta statusdalinha statusdocliente estadodalinha estadodocliente kontostatus benutzerstatus kundenstatus linienstatus statuslinii statusuzytkownika statusklienta stanlinii situacion statut stato',
  added_date:
    'addeddate added createdat created creationdate dateadded startdate erstellt utworzono criado',
  protocol: 'protocol protokoll protokol protocolo',
  host_port: 'hostport host hosts',
};

const placeByHeading = new Map(
  (Object.keys(headings) as LineField[]).flatMap((field) =>
    headings[field]
      .split(' ')
      .filter(Boolean)
      .map((heading, rank) => [heading, { field, rank }] as const),
  ),
);

function placeOf(heading: string): { field: LineField; rank: number } | null {
  const match = placeByHeading.get(plain(heading));
  if (match) return match;
  return meaningOfYes(heading) === null ? null : { field: 'disabled', rank: 0 };
}

/** Headings of the page of lines of Xtream UI and XC_VM, as its table exports them. */
const panelList = ['username', 'password', 'status', 'online', 'active', 'expiration'];
const panelConnections = ['connections', 'conns', 'maxconnections'];

/** Whether a column counts connections, as "Active" and "Online" do in lists whose state is in "Status". */
export function countsConnections(headings: readonly string[], column: number): boolean {
  const name = plain(headings[column] ?? '');
  if (name !== 'active' && name !== 'online') return false;
  const names = headings.map(plain);
  return (
    panelList.every((one) => names.includes(one)) &&
    panelConnections.some((one) => names.includes(one))
  );
}

export function fieldNamed(heading: string): LineField | null {
  return placeOf(heading)?.field ?? null;
}

/** Whether the cells below a heading are moments at which lines were switched off. */
export function isMomentOfEnd(heading: string): boolean {
  return fieldNamed(heading) === 'disabled' && /(?:at|am)$/.test(plain(heading));
}

/** Fields that several columns may have: an administrator's ban is beside the owner's, and so are their notes. */
const repeatable: readonly LineField[] = ['enabled', 'disabled', 'status', 'notes'];
/** Fields of the price, which are ignored if the file has the last day. */
const priceFields: readonly (LineField | null)[] = ['subscription_months', 'is_trial'];

/**
 * Assigns each field to its best heading, and the fields of the price to none if the file has the last day. All
 * columns that name the end are read, because none of two days is surely the right one.
 */
export function guessMapping(columns: readonly string[]): Mapping {
  const found = columns.map((heading, column) =>
    countsConnections(columns, column) ? null : placeOf(heading),
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

/** Assigns a field to a column and takes the field away from any other column. */
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

/** Words of a heading whose days are not the last day of a line: created, changed, born. */
const OTHER_DAY =
  /^(?:last\w*|letzte\w*|ostatni\w*|ultim\w*|creat\w*|add(?:ed)?|start\w*|beg[ai]n\w*|birth\w*|geb\w*|born|updat\w*|chang\w*|edit\w*|modif\w*|login\w*|seen|activit\w*|online|bought|order\w*|sold|erstellt\w*|angelegt\w*|geandert\w*|beginn|von|from|since|seit|od|desde|reg\w*|join\w*|sent|utworz\w*|dodan\w*|zmien\w*|urodz\w*|criad\w*|alterad\w*|inicio|nascim\w*|creado|alta|nacim\w*)$/;
const LAST_DAY =
  /^(?:exp(?!or)\w*|end|ende|until|till|ablauf\w*|bis|wazn\w*|wygas\w*|venc\w*|validade|caduc\w*|scad\w*|bitis\w*|days?|tage|dni|dias|jours|giorni|gun|weeks?|years?|jahre|lata|anos|remaining|rest|restlaufzeit|resttage|restantes?|laufzeit|duration|term)$/;

/** Words of a heading whose day is the one on which a line begins. */
const BEGINNING =
  /^(?:start\w*|beg[ai]n\w*|rozpocz\w*|poczat\w*|inicio|inici[ao]\w*|debut|inizio|baslangic\w*|activation\w*|aktivierung\w*|freischaltung\w*|aktywacj\w*|ativac\w*|activacion\w*|from|ab|von|vom|od|desde|since|seit|dal|depuis|(?:valid|active)from|(?:gultig|gueltig|aktiv)ab|wazn[aey]od|aktywn[aey]od)$/;

/** Whether the days below a heading are first days, so that a line with a day to come has not begun. */
export function holdsBeginnings(heading: string): boolean {
  // "läuft ab" is an end.
  if (fieldNamed(heading) === 'expiry_date' || /l(?:ä|ae|a)uft\W*ab/i.test(heading)) return false;
  const words = wordsOf(heading.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '));
  return words.some(({ word }) => BEGINNING.test(word));
}

const PAID =
  /^(?:paid|payed|payments?|bezahlt|gezahlt|zahlung\w*|pag[oa]\w*|wplat\w*|zaplac\w*|oplac\w*)$/;
const AT = /^(?:at|am|on|dnia|em|date|datum|data|fecha)$/;

/** Whether days and terms below an unknown heading may be the last day; null if its cells decide. */
export function holdsLastDays(heading: string): boolean | null {
  const words = wordsOf(heading.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')).map(({ word }) => word);
  const isAdded = fieldNamed(heading) === 'added_date';
  if (isAdded || words.some((word) => OTHER_DAY.test(word))) return false;
  if (words.some((word) => LAST_DAY.test(word))) return true;
  const isOfPayment = words.some((word) => PAID.test(word)) && words.some((word) => AT.test(word));
  return isOfPayment ? false : null;
}
