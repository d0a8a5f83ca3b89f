const fieldNames: Record<string, string> = {
  expiry_date: 'expiry',
  owner_id: 'owner',
  group_id: 'group',
  server_id: 'server',
  full_name: 'fullName',
  subscription_months: 'duration',
  months: 'duration',
};

/** Where a field's name stands in the texts: what only audit entries tell, else what forms call it. */
export function labelKeys(field: string): [string, string] {
  return [`activity:fields.${field}`, `common:field.${fieldNames[field] ?? field}`];
}

/** Where the words for what a field held stand, by what an entry is about. */
const wordsOf: Record<string, Record<string, string>> = {
  ticket: {
    status: 'tickets:status',
    priority: 'tickets:priority',
    category: 'tickets:category',
  },
  message: { state: 'messages:state' },
  article: { category: 'articles:categories' },
};

/** Where the word for a value stands; null for a field that holds anything. */
export function valueKey(subject: string, field: string, value: string): string | null {
  const words = wordsOf[subject]?.[field];
  return words ? `${words}.${value}` : null;
}
