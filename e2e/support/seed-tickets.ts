import type { Api } from './api.ts';

/** Tickets in all states, some of them answered. */
export async function seedTickets(admin: Api, reseller: Api, user: Api): Promise<void> {
  const { id: me } = await admin.get('/api/me');
  const open = async (owner: Api, title: string, description: string, more: object = {}) =>
    (await owner.post('/api/tickets', { title, description, ...more })).ticket.id as string;
  const reply = (writer: Api, id: string, content: string, more: object = {}) =>
    writer.post(`/api/tickets/${id}/replies`, { content, ...more });

  const invoice = await open(user, 'Invoice address changed to Porto', 'Since 1 November.', {
    category: 'billing',
  });
  await reply(admin, invoice, 'It is on the next invoice.');
  await admin.patch(`/api/tickets/${invoice}`, { status: 'closed' });
  await open(user, 'Leeds 1 does not answer, 41 lines down', 'No picture since 4 am.', {
    priority: 'urgent',
    category: 'technical',
  });
  const move = await open(
    reseller,
    'Move two lines from Warsaw 1 to Warsaw 2',
    'Two of my customers in Gdańsk see short drops every evening: **zolw.gdansk** and ' +
      '**jaskolka**. Warsaw 2 answers faster from there. Can you move both without a new password?',
    { priority: 'high', category: 'technical' },
  );
  await reply(
    admin,
    move,
    'Yes. The password stays, only the server name changes. I will move them after 22:00 so ' +
      'nobody is interrupted, then you can check.',
  );
  await admin.patch(`/api/tickets/${move}`, { assigned_to: me });
  await reply(admin, move, 'Pays on time, do it today.', { is_note: true });
  await reply(
    reseller,
    move,
    'Dziękuję. zolw.gdansk is fine now. jaskolka still shows “Not on server”.',
  );
  await admin.post('/api/canned-replies', {
    title: 'Line was pushed again',
    content: 'The line was pushed to its server once more. Please restart the receiver.',
  });
}
