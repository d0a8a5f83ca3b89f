/** What a row may say about a new line, the most usual first; `server` is the name of one. */
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

/** For each column of the file the field it fills; null for one that is left out. */
export type Mapping = readonly (ImportField | null)[];

/** How columns are called in the files people have, in the languages of the panel. */
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

/** Small letters and digits alone: accents, case and signs differ from file to file. */
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

/** The first column of each name fills its field. */
export function guessMapping(headings: readonly string[]): Mapping {
  const taken = new Set<ImportField>();
  return headings.map((heading) => {
    const field = fieldNamed(heading);
    if (!field || taken.has(field)) return null;
    taken.add(field);
    return field;
  });
}

/** A field comes from one column: another that filled it until now is left out. */
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

/** A cell as the panel takes it: yes and no are said in many languages. */
export function sentCell(field: ImportField, text: string): string {
  if (field !== 'is_trial') return text;
  const word = plain(text);
  if (yes.includes(word)) return 'true';
  return no.includes(word) ? 'false' : text;
}

/** What no line can do without, as far as no column has it. */
export function missingFields(mapping: Mapping): ImportField[] {
  const needed: ImportField[] = (['username', 'password'] as const).filter(
    (field) => !mapping.includes(field),
  );
  const hasTerm = (['subscription_months', 'is_trial', 'expiry_date'] as const).some((field) =>
    mapping.includes(field),
  );
  return hasTerm ? needed : [...needed, 'subscription_months'];
}
