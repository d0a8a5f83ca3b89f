const rows = [
  'username;password;subscription_months;is_trial;server;name;company;email;notes',
  'anna.nowak;tulip-harbor-41;12;;;Anna Nowak;;anna@example.com;paid in cash',
  'test-0420;willow-canyon-7;;yes;;;;;',
];

/** A file to fill in, with a subscription and a trial as examples. */
export const templateAddress = URL.createObjectURL(
  new Blob([`\ufeff${rows.join('\r\n')}\r\n`], { type: 'text/csv' }),
);
