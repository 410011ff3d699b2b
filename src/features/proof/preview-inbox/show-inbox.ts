import type { Static } from 'typebox';
import type { Context } from '../../../platform/feature/index.ts';
import { getTest, listResults, readSourceOf } from '../previews/index.ts';
import { showInbox } from './computations.ts';
import type { getInbox } from './contract.ts';
import { findLogo } from './logo.ts';
import { readFrom, senderIn } from './sender.ts';
import { inboxView } from './reply.ts';

/** The inbox of a test. Throws `not_found`, `invalid_request` for a sender that is none, `damaged`. */
export async function inboxOf(
  ctx: Pick<Context, 'db' | 'blobs' | 'compute' | 'dns' | 'fetch' | 'clock' | 'principal'>,
  { testId, from }: { testId: string; from: string | undefined },
): Promise<Static<typeof getInbox.reply>> {
  const test = await getTest(ctx, testId);
  const sender = from === undefined ? senderIn(test.headers) : readFrom(from);
  const [body, results, logo] = await Promise.all([
    readSourceOf(ctx, test),
    listResults(ctx.db, test.accountId, test.id),
    findLogo(ctx, sender?.address),
  ]);
  const isUnknown = logo.result === 'unknown';
  const shown = await ctx.compute.run(
    showInbox,
    {
      source: { kind: test.source, url: test.sourceUrl, body },
      subject: test.subject,
      sender,
      logo: isUnknown
        ? undefined
        : { isPublished: logo.result === 'published', hasCertificate: logo.certificateUrl !== undefined },
    },
    { urgency: 'answer' },
  );
  return inboxView(shown, { testId: test.id, clientIds: results.map(({ clientId }) => clientId), logo });
}

/** The same of a message that no test holds; nobody is asked for its sender's logo. */
export async function inboxOfMessage(
  { compute }: Pick<Context, 'compute'>,
  message: { html: string; subject: string; headers: Readonly<Record<string, string>>; clientIds: readonly string[] },
) {
  const { html, subject, headers, clientIds } = message;
  const source = { kind: 'html' as const, url: null, body: Buffer.from(html) };
  const shown = await compute.run(showInbox, { source, subject, sender: senderIn(headers), logo: undefined });
  const {
    test_id: _none,
    logo: _unknown,
    ...inbox
  } = inboxView(shown, {
    testId: '',
    clientIds,
    logo: { result: 'unknown' },
  });
  return inbox;
}
