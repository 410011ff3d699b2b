import { AppError } from '../../../platform/errors/index.ts';
import { endpoint, type Context } from '../../../platform/feature/index.ts';
import { HttpReply } from '../../../platform/http/index.ts';
import { pictureReply } from '../../proof/previews/index.ts';
import { getVersion, overviewOf, type Version } from '../emails/index.ts';
import { findPictures } from './discussion.ts';
import { getReport, type ReviewView } from './contract.ts';
import { writeReport, type ReportPicture } from './report.ts';
import { reviewView } from './show-review.ts';

/** Nothing runs in it, and nothing is loaded, wherever it is opened. */
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox";

/** One after the other: each is small, and kept once it was made. */
async function picturesOf(
  ctx: Pick<Context, 'db' | 'blobs' | 'jobs'>,
  version: Version,
  review: ReviewView,
): Promise<ReportPicture[]> {
  const test = await findPictures(ctx, version);
  const pictures: ReportPicture[] = [];
  for (const { client, name, state } of review.pictures) {
    const isCommented = review.threads.some((one) => one.client === client);
    const wanted = isCommented
      ? { file: 'default.full-thumbnail.webp', width: '320' as const }
      : { file: 'default.thumbnail.webp', width: '240' as const };
    let bytes: Buffer | undefined;
    if (test && state === 'completed')
      try {
        const { body } = await pictureReply(
          { db: ctx.db, blobs: ctx.blobs, jobs: ctx.jobs, headers: {} },
          { test, clientId: client, isDownload: false, ...wanted },
        );
        if (Buffer.isBuffer(body)) bytes = body;
      } catch (error) {
        // A picture that is missing is left out; the report says so.
        if (!(error instanceof AppError)) throw error;
      }
    pictures.push({ client, name, bytes });
  }
  return pictures;
}

export const reportEndpoints = [
  endpoint(getReport, async (ctx, { params }) => {
    const { email, version } = await getVersion(ctx, params);
    const review = await reviewView(ctx, version);
    const { view: overview } = await overviewOf(ctx, version);
    const pictures = await picturesOf(ctx, version, review);
    const html = writeReport({ name: email.name, at: ctx.clock.now(), review, overview, pictures });
    const file = encodeURIComponent(`Review of ${email.name}, version ${version.number}.html`);
    return new HttpReply(Buffer.from(html), {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'content-disposition': `attachment; filename*=UTF-8''${file}`,
    });
  }),
];
