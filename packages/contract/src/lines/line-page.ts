import * as z from 'zod';
import { done, endpoint } from '../endpoint.ts';
import { line, ofLine } from './lines.ts';

export const makeLinePage = endpoint('makeLinePage', 'POST /api/lines/{id}/page', {
  ...ofLine,
  summary: "Make a link to the customer's page of a line",
  description:
    'Makes a link to a page that shows the line without an account, and ends the link before it. Anyone who has the link can open the page.',
  output: z.object({ url: z.string() }),
  repliesWithSecret: true,
});

export const withdrawLinePage = endpoint('withdrawLinePage', 'DELETE /api/lines/{id}/page', {
  ...ofLine,
  summary: "Withdraw the customer's page of a line",
  description: 'Ends the link at once. Does nothing if the line has no page.',
  output: done,
});

/** The most lines in a reply. */
export const MAX_ASKED = 20;

export const askedLines = endpoint('askedLines', 'GET /api/lines/asked', {
  summary: 'List your lines whose customers asked for renewal',
  description: `Lists at most ${MAX_ASKED} of your own lines whose customers asked for a renewal on their page, the latest first. A renewal ends the request.`,
  access: ['view_users'],
  output: z.object({ items: z.array(line) }),
});
