import { upload } from '../files/files.ts';
import type { People } from './accounts.ts';
import type { Example, Recorder } from './recorder.ts';
import { only, type Shop, two } from './shop.ts';

const ownTexts = {
  renewed: { de: 'Hallo {name}, {username} läuft jetzt bis {expiry}. Danke!' },
  page: { words: { de: 'Anrufe bis 18 Uhr.' }, phone: '+49 30 5550 0110' },
};

export async function helpPeople(
  { panel }: Shop,
  recorder: Recorder,
  { kaethe: { client } }: People,
): Promise<void> {
  const { admin } = panel;
  const own = (name: string, sent?: Example) => recorder.call(client, name, sent);
  const by = (name: string, sent?: Example) => recorder.call(admin, name, sent);
  const visitor = panel.anonymous();
  const uploaded = async (content: string) => {
    const { body } = await upload(client, content, 'receiver.txt');
    recorder.keep('uploadAttachment', { reply: body });
    return body.attachment.id as string;
  };
  const file = await uploaded('The picture freezes at 20:15\n');
  const spare = await uploaded('The picture freezes at 20:45\n');
  const { ticket } = await own('createTicket', {
    body: {
      title: 'Two lines drop out in the evening',
      description: '**cafe-nord** and **hotel-adria** lose the picture for a second.',
      category: 'technical',
      attachment_ids: [file],
    },
  });
  await by('createTicketReply', {
    ...only(ticket.id),
    body: { content: 'Both are on Frankfurt 1 now. Please look again tonight.' },
  });
  await own('listTicketReplies', only(ticket.id));
  await own('readTicket', only(ticket.id));
  await by('editTicket', { ...only(ticket.id), body: { status: 'pending', priority: 'high' } });
  await own('getTicket', only(ticket.id));
  await own('listTickets', two);
  await own('countTickets');
  await own('getAttachment', only(file));
  await own('deleteAttachment', only(spare));
  const { canned_reply } = await by('createCannedReply', {
    body: { title: 'Restart the receiver', content: 'Switch the receiver off for a minute.' },
  });
  await by('editCannedReply', { ...only(canned_reply.id), body: { title: 'Restart' } });
  await by('listCannedReplies');
  await by('deleteCannedReply', only(canned_reply.id));
  await by('deleteTicket', only(ticket.id));
  const { message } = await by('createMessage', {
    body: {
      title: 'Warsaw 1 is serviced on Sunday',
      content: 'From 4:00 to 5:00 its lines may be interrupted.',
      is_global: true,
    },
  });
  await own('countUnreadMessages');
  await own('listMessages', two);
  await own('getMessage', only(message.id));
  await own('readMessage', only(message.id));
  await own('readAllMessages');
  await by('deleteMessage', only(message.id));
  await own('countUnreadNotifications');
  const { items } = await own('listNotifications', two);
  await own('readNotification', only(items[0].id));
  await own('readAllNotifications');
  const { article } = await by('createArticle', {
    body: {
      title: 'When a line expires',
      body: 'A line works until the **end of its last day**.',
      category: 'lines',
      locale: 'en',
      is_published: true,
    },
  });
  await by('editArticle', { ...only(article.id), body: { position: 3 } });
  await own('getArticle', only(article.id));
  await own('listArticles', { query: { locale: 'en', limit: '2', q: 'expires' } });
  await own('rateArticle', { ...only(article.id), body: { helpful: true } });
  await by('deleteArticle', only(article.id));
  await recorder.call(visitor, 'sendContact', {
    body: {
      name: 'Grażyna Szczęsna',
      email: 'grazyna@panel.example',
      subject: 'Invoice',
      message: 'Please send me the invoice of my last order.',
      language: 'pl',
    },
  });
  const { items: letters } = await by('listContact', two);
  await by('editContact', { ...only(letters[0].id), body: { answer: 'It is on its way.' } });
  await recorder.call(visitor, 'getGeo');
  await recorder.call(visitor, 'publicSettings');
}

export async function lookAtOneself(
  { panel: { admin } }: Shop,
  recorder: Recorder,
  { kaethe: { client, id: kaethe } }: People,
): Promise<void> {
  const own = (name: string, sent?: Example) => recorder.call(client, name, sent);
  await own('editPreferences', {
    body: { language: 'de', reminder_days: [7, 1], lists: { lines: { density: 'compact' } } },
  });
  await own('getPreferences');
  await own('editSellerTexts', { body: ownTexts });
  await own('getSellerTexts');
  await own('getMe');
  await own('getDashboard');
  await recorder.call(admin, 'previewBan', only(kaethe));
}

export async function lookBack(
  { panel: { admin } }: Shop,
  recorder: Recorder,
  { kaethe, rui }: People,
  line: string,
): Promise<void> {
  const by = (name: string, sent?: Example) => recorder.call(admin, name, sent);
  await recorder.call(kaethe.client, 'lineActivity', { ...only(line), ...two });
  await by('accountActivity', { ...only(rui.id), ...two });
  await by('listAudit', two);
  await by('auditCsv');
  await by('checkSeals');
  await by('getSealState');
  await by('getSetup');
  await by('getConnection');
  await by('getBackups');
  await by('getVersion');
  await by('applyMigrations');
}
