import { unescapeFormula } from '@linekeeper/contract/lines/csv.ts';

/** Fields a row can fill, the most common first; `server` is a server's name. */
export const importFields = [
  'username',
  'password',
  'subscription_months',
  'is_trial',
  'expiry_date',
  'server',
  'name',
  'company',
  'email',
  'notes',
  'status',
  'info',
  'live_channel',
  'protocol',
  'host_port',
  'user_value',
  'role',
  'avatar_url',
] as const;
export type ImportField = (typeof importFields)[number];

/** The field of each column of the file; null if the column is ignored. */
export type Mapping = readonly (ImportField | null)[];

/** Common headings of each field in the panel's languages. */
const names: Record<ImportField, string> = {
  username:
    'user login benutzer benutzername uzytkownik nazwauzytkownika utilizador nomedeutilizador',
  password: 'pass pwd passwort kennwort haslo senha palavrapasse',
  subscription_months:
    'months duration subscription monate laufzeit dauer miesiace okres czastrwania meses duracao',
  is_trial: 'trial test testlinie probny probna testowa teste experimental',
  expiry_date:
    'expiry expires expiration expirydate validuntil ablauf ablaufdatum gultigbis datawygasniecia waznado wygasa expira validade datadevalidade',
  server: 'servername serwer servidor nazwaserwera nomedoservidor',
  name: 'fullname customer kunde kundenname vorundnachname imieinazwisko klient nome cliente nomecompleto',
  company: 'firma unternehmen empresa organization',
  email: 'mail emailaddress emailadresse adresemail correio correioeletronico',
  notes:
    'note comment comments notiz notizen bemerkung kommentar notatki notatka uwagi notas nota observacoes',
  status: 'state zustand stan estado',
  info: 'information informacje informacao',
  live_channel: 'channel kanal kanallive canal',
  protocol: 'protokoll protokol protocolo',
  host_port: 'host hosts hostport',
  user_value: 'value wert wartosc valor',
  role: 'rolle rola funcao',
  avatar_url: 'avatar picture bild zdjecie imagem',
};

/** Keeps only lower-case letters and digits, because files spell headings differently. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/[^a-z0-9]/g, '');
}

const fieldByName = new Map(
  importFields.flatMap((field) =>
    [plain(field), ...names[field].split(' ')].map((name) => [name, field] as const),
  ),
);

export function fieldNamed(heading: string): ImportField | null {
  return fieldByName.get(plain(heading)) ?? null;
}

/** Assigns a field to the first column with a matching heading. */
export function guessMapping(headings: readonly string[]): Mapping {
  const taken = new Set<ImportField>();
  return headings.map((heading) => {
    const field = fieldNamed(heading);
    if (!field || taken.has(field)) return null;
    taken.add(field);
    return field;
  });
}

/** Assigns a field to a column and takes the field away from any other column. */
export function remapped(mapping: Mapping, column: number, field: ImportField | null): Mapping {
  return mapping.map((current, index) => {
    if (index === column) return field;
    return current === field ? null : current;
  });
}

const yes = [
  'yes',
  'y',
  'true',
  '1',
  'x',
  'ja',
  'j',
  'wahr',
  'tak',
  't',
  'prawda',
  'sim',
  's',
  'verdadeiro',
];
const no = ['no', 'n', 'false', '0', 'nein', 'falsch', 'nie', 'falsz', 'nao', 'falso'];

/** 5.11.2027, as spreadsheets write it in most of Europe, as 05-11-2027. */
function dashedDay(text: string): string {
  const [, day = '', month = '', year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text.trim()) ?? [];
  return year ? `${day.padStart(2, '0')}-${month.padStart(2, '0')}-${year}` : text;
}

/**
 * Converts yes and no of many languages to true and false, and days with dots to those with dashes,
 * which is all that the panel accepts.
 */
export function sentCell(field: ImportField, text: string): string {
  if (field === 'expiry_date') return dashedDay(text);
  if (field !== 'is_trial') return text;
  const word = plain(text);
  if (yes.includes(word)) return 'true';
  return no.includes(word) ? 'false' : text;
}

const SHOWN_LETTERS = 100;

/**
 * A cell as shown in the preview, shortened. Strips the apostrophe that our own exports put before
 * text a spreadsheet would run as a formula; the panel strips the apostrophe on import too.
 */
export function shownCell(text: string): string {
  const meant = unescapeFormula(text);
  return meant.length > SHOWN_LETTERS ? `${meant.slice(0, SHOWN_LETTERS)}…` : meant;
}

/** Required fields that no column fills. */
export function missingFields(mapping: Mapping): ImportField[] {
  const needed: ImportField[] = (['username', 'password'] as const).filter(
    (field) => !mapping.includes(field),
  );
  const hasTerm = (['subscription_months', 'is_trial', 'expiry_date'] as const).some((field) =>
    mapping.includes(field),
  );
  return hasTerm ? needed : [...needed, 'subscription_months'];
}
