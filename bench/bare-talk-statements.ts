/** The same for tickets, messages and the bell. */

const nameOf = (account: string, otherwise: string) =>
  `coalesce(nullif(${account}.full_name, ''), ${account}.${otherwise})`;

const tickets = (condition: string, newest: string, otherwise: string) => `
  select ticket.id, ticket.number, ticket.title, ticket.description, ticket.status, ticket.priority,
    ticket.category, ticket.user_id, owner.is_admin as user_is_admin, ticket.assigned_to,
    ticket.created_at, ticket.updated_at, ticket.replies, ${nameOf('owner', otherwise)} as user_name,
    ${nameOf('writer', otherwise)} as last_writer_name,
    ${nameOf('assignee', otherwise)} as assigned_to_name,
    ticket.last_writer_id = ticket.user_id as last_writer_is_owner,
    exists (select from ticket_reads where ticket_id = ticket.id and account_id = $1
      and read_to >= ticket.${newest}) as is_read,
    ticket.updated_at::text as sort_value
  from tickets ticket join auth_users owner on owner.id = ticket.user_id
    join auth_users writer on writer.id = ticket.last_writer_id
    left join auth_users assignee on assignee.id = ticket.assigned_to
  where ${condition} order by ticket.updated_at desc, ticket.id desc limit 51`;

const isShown = `state = 'published' and (expires_at is null or expires_at > now())`;
const isUnread = `created_by <> $1
  and publish_at > coalesce((select read_until from message_marks where account_id = $1), '-infinity')
  and not exists (select from message_reads where message_id = message.id and account_id = $1)`;
const ownMessages = (columns: string, limit: string, condition = 'true') =>
  ['is_global', 'recipient_id = $1']
    .map(
      (to) => `(select ${columns} from messages message where ${isShown} and ${to} and ${condition}
        order by publish_at desc, id desc ${limit})`,
    )
    .join(' union all ');
const messageColumns = `message.id, message.title, message.content, message.is_global,
  message.recipient_id, message.created_by, message.publish_at, message.expires_at, message.created_at,
  message.state, not (${isUnread}) as is_read`;
const unreadMessages = `(select count(*) from (${ownMessages('1', 'limit 100', isUnread)}) as unread)`;

export const talkStatements = {
  ticketsOfAll: tickets('true', 'last_position', 'email'),
  ticketsOfOne: tickets('ticket.user_id = $1', 'last_shown', 'username'),
  ticketCounts: `
    select count(*) as all, count(*) filter (where status <> 'closed') as active,
      count(*) filter (where status = 'closed') as closed,
      count(*) filter (where coalesce(reading.read_to, -1) < last_shown) as unread,
      count(*) filter (where status <> 'closed' and assigned_to = $1) as assigned_to_me,
      count(*) filter (where status <> 'closed' and assigned_to is null) as unassigned
    from tickets left join ticket_reads reading on reading.ticket_id = tickets.id
      and reading.account_id = $1
    where user_id = $1`,
  messages: `
    select page.*, nullif(author.full_name, '') as author_name, null as recipient_name,
      page.publish_at::text as sort_value
    from (${ownMessages(messageColumns, 'limit 51')}) as page
      join auth_users author on author.id = page.created_by
    order by page.publish_at desc, page.id desc limit 51`,
  unreadMessages: `select least(100, ${unreadMessages}) as count`,
  bell: `
    select bell.*, created_at::text as sort_value from (
      (select id, kind, title, content, link, is_read, created_at from notifications
        where account_id = $1 order by created_at desc, id desc limit 51)
      union all ${ownMessages(
        `id, 'message', title, left(content, 200), '/messages?message=' || id, not (${isUnread}),
          publish_at`,
        'limit 51',
      )}) as bell
    order by created_at desc, id desc limit 51`,
  unreadBell: `select least(100, ${unreadMessages} + (select count(*) from (
    select from notifications where account_id = $1 and not is_read limit 100) as unread)) as count`,
};
