const fieldNames: Record<string, string> = {
  account_id: 'account',
  expires_at: 'expiry',
  expiry_date: 'expiry',
  owner_id: 'owner',
  package_name: 'package',
  server_name: 'nameOfThing',
  state: 'status',
  user_id: 'owner',
  group_id: 'group',
  server_id: 'server',
  plan_id: 'plan',
  full_name: 'fullName',
  subscription_months: 'duration',
  months: 'duration',
  max_months: 'longest',
  may_delete: 'mayDelete',
  is_offered: 'offered',
  host: 'host_ip',
};

/**
 * Text keys for the name of an audited field, to be tried in turn: the one for fields that only the audit log has, then
 * the one of forms.
 */
export function labelKeys(field: string): [string, string] {
  return [`activity:fields.${field}`, `common:field.${fieldNames[field] ?? field}`];
}

/** The keys of the words for a field's values, by what an entry is about. */
const wordsOf: Record<string, Record<string, string>> = {
  ticket: {
    status: 'tickets:status',
    priority: 'tickets:priority',
    category: 'tickets:category',
  },
  message: { state: 'messages:state' },
  article: { category: 'articles:categories' },
};

/** The text key for a value of an audited field, such as a status; null if the value is shown as it is. */
export function valueKey(subject: string, field: string, value: string): string | null {
  const words = wordsOf[subject]?.[field];
  return words ? `${words}.${value}` : null;
}
