import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * SQL table of the lines for which a server is a further one, because their plan serves all. `offset 0` keeps the database
 * from reading lines where there is no such plan.
 */
export const furtherLines = (server_id: RawBuilder<unknown>) => sql<{
  id: string;
  owner_id: string;
}>`(
  select further.id, further.owner_id from plan_servers place
      join plans on plans.id = place.plan_id and plans.serves = 'all'
      cross join lateral (
        select users.id, users.owner_id from users
          where users.plan_id = plans.id and users.server_id <> place.server_id offset 0) as further
    where place.server_id = ${server_id})`;

/** SQL condition on a line: it is on the server because its plan serves all. */
export const isOfFurtherPlan = (server_id: string) => sql<SqlBool>`users.plan_id = any(array(
  select plan_id from plan_servers join plans on plans.id = plan_id
    where serves = 'all' and plan_servers.server_id = ${server_id}))`;

/**
 * SQL condition: the line, a row of `users` under this name, is on the server. `serversOfUser` answers the same as an
 * array, which an index of accounts can use; for a line on several servers, the array takes twice the time of this
 * condition.
 */
export const isOnServer = (server_id: RawBuilder<unknown>, line = 'users') =>
  sql<SqlBool>`${server_id} in (
    select at from servers_of(${sql.ref(`${line}.server_id`)}, ${sql.ref(`${line}.plan_id`)}) as at)`;

/** SQL table of all lines on a server. */
export const linesOfServer = (server_id: RawBuilder<unknown>) => sql<{
  id: string;
  owner_id: string;
}>`(
  select users.id, users.owner_id from users where users.server_id = ${server_id}
  union all select id, owner_id from ${furtherLines(server_id)} as further)`;
