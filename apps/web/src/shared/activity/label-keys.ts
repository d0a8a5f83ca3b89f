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
