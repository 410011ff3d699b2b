// Link, image, accessibility and spam tests of one small message.
import type { Bed, Calls, Request } from '../bed.ts';
import { invalid, unknown, withoutKey } from './wrong.ts';

const LINKS = '/v1/inspect/links';
const IMAGES = '/v1/inspect/images';
const ACCESSIBILITY = '/v1/inspect/accessibility';
const SPAM = '/v1/inspect/spam';

const htmlOf = ({ site }: Bed): string =>
  `<!doctype html><html lang="en"><body><h1>Garden notes</h1><p><a href="${site.url}/page">The whole letter</a></p>` +
  `<img src="${site.url}/red.png" width="60" height="40"></body></html>`;
const newSpamTest = (bed: Bed): Request => ({ json: { subject: 'Garden notes for May', html: htmlOf(bed) } });

const hasEnded = ({ meta }: { meta: { status: string } }): boolean => meta.status !== 'Processing';
/** Made once and waited for. */
const ended =
  (path: string, request: (bed: Bed) => Request, source = path) =>
  (bed: Bed): Promise<Request> =>
    bed.once(path, async () => {
      const { items } = await bed.get(`POST ${source}`, request(bed));
      const named = { path: { id: items.id } };
      await bed.until(`GET ${path}/{id}`, named, hasEnded);
      return named;
    });
const fromHtml = (bed: Bed): Request => ({ json: { html: htmlOf(bed) } });
const linkTest = ended(LINKS, fromHtml, `${LINKS}/html-validate`);
const imageTest = ended(IMAGES, fromHtml, `${IMAGES}/html-validate`);
const accessibilityTest = ended(ACCESSIBILITY, fromHtml);
const spamTest = (bed: Bed): Promise<Request> =>
  bed.once('spam', async () => {
    const { item } = await bed.get(`POST ${SPAM}`, newSpamTest(bed));
    const named = { path: { spam_test_id: item.id } };
    await bed.until(`GET ${SPAM}/{spam_test_id}`, named, ({ item: { status } }) => status !== 'processing');
    return named;
  });
/** Something to delete. */
const another =
  (path: string, request: (bed: Bed) => Request) =>
  async (bed: Bed): Promise<Request> => {
    const { items } = await bed.get(`POST ${path}`, request(bed));
    return { path: { id: items.id } };
  };
const listed = (make: (bed: Bed) => Promise<Request>, query: Record<string, string>) => async (bed: Bed) => {
  await make(bed);
  return { query };
};
const picture = async ({ site }: Bed): Promise<File> => {
  const bytes = await (await fetch(`${site.url}/red.png`)).blob();
  return new File([bytes], 'red.png', { type: 'image/png' });
};
const linksOf = (bed: Bed): Request => ({ json: { links: [`${bed.site.url}/page`], userAgent: null } });
const imagesOf = (bed: Bed): Request => ({ json: { links: [`${bed.site.url}/red.png`] } });

/** Of links: a page, a sheet with one link too many. */
const LINK_CALLS: Calls = {
  [`GET ${LINKS}`]: { well: listed(linkTest, { url: '/page' }), wrong: invalid({ query: { statusCode: 'many' } }) },
  [`POST ${LINKS}`]: { well: linksOf, wrong: invalid({ json: { links: 'https://example.com/' } }) },
  [`POST ${LINKS}/html-validate`]: { well: fromHtml, wrong: invalid({ json: {} }) },
  [`GET ${LINKS}/{id}`]: { well: linkTest, wrong: unknown('id') },
  [`POST ${LINKS}/{id}`]: {
    well: async (bed) => bed.once('links again', () => another(LINKS, linksOf)(bed)),
    wrong: unknown('id'),
  },
  [`DELETE ${LINKS}/{id}`]: { well: another(LINKS, linksOf), wrong: unknown('id') },
  [`POST ${LINKS}/{id}/csv`]: {
    well: async (bed) => {
      const sheet = new File(['URL,Status\nhttps://example.com/elsewhere,200\n'], 'expected.csv', { type: 'text/csv' });
      return { ...(await linkTest(bed)), form: { csv: sheet } };
    },
    wrong: invalid(async (bed) => ({ ...(await linkTest(bed)), form: { other: 'x' } })),
  },
};

/** Of images: one red picture. */
const IMAGE_CALLS: Calls = {
  [`GET ${IMAGES}`]: { well: listed(imageTest, { limit: '10', skip: '0' }), wrong: invalid({ query: { limit: '0' } }) },
  [`POST ${IMAGES}`]: { well: imagesOf, wrong: invalid({ json: { links: [] } }) },
  [`POST ${IMAGES}/html-validate`]: { well: fromHtml, wrong: invalid({ json: {} }) },
  [`POST ${IMAGES}/upload`]: {
    well: async (bed) => ({ form: { image: await picture(bed) } }),
    wrong: invalid({ form: { other: 'x' } }),
  },
  [`GET ${IMAGES}/{id}`]: { well: imageTest, wrong: unknown('id') },
  [`DELETE ${IMAGES}/{id}`]: { well: another(IMAGES, imagesOf), wrong: unknown('id') },
  [`POST ${IMAGES}/{id}/reprocess`]: { well: another(IMAGES, imagesOf), wrong: unknown('id') },
  [`POST ${IMAGES}/{id}/optimize`]: { well: imageTest, wrong: unknown('id') },
  [`POST ${IMAGES}/{id}/optimize/{image_id}`]: {
    well: async (bed) => {
      const { path } = await imageTest(bed);
      const { items } = await bed.get(`GET ${IMAGES}/{id}`, { path: path! });
      return { path: { ...path, image_id: items.images[0].id } };
    },
    wrong: async (bed) => unknown('image_id', await imageTest(bed))(),
  },
};

/** All four kinds. */
export const INSPECTION_CALLS: Calls = {
  ...LINK_CALLS,
  ...IMAGE_CALLS,
  [`GET ${ACCESSIBILITY}`]: {
    well: listed(accessibilityTest, { limit: '10', skip: '0' }),
    wrong: invalid({ query: { limit: '1001' } }),
  },
  [`POST ${ACCESSIBILITY}`]: {
    well: (bed) => ({ json: { html: btoa(htmlOf(bed)), encoded: true } }),
    wrong: invalid({ json: { encoded: true } }),
  },
  [`GET ${ACCESSIBILITY}/{id}`]: { well: accessibilityTest, wrong: unknown('id') },
  [`DELETE ${ACCESSIBILITY}/{id}`]: { well: another(ACCESSIBILITY, fromHtml), wrong: unknown('id') },
  [`GET ${SPAM}`]: {
    well: listed(spamTest, { status: 'completed', sort_by: 'created_at', sort_order: 'asc', limit: '10' }),
    wrong: invalid({ query: { status: 'unheard' } }),
  },
  [`POST ${SPAM}`]: { well: newSpamTest, wrong: invalid({ json: { subject: 'x' } }) },
  [`GET ${SPAM}/{spam_test_id}`]: { well: spamTest, wrong: unknown('spam_test_id') },
  [`DELETE ${SPAM}/{spam_test_id}`]: {
    well: async (bed) => ({ path: { spam_test_id: (await bed.get(`POST ${SPAM}`, newSpamTest(bed))).item.id } }),
    wrong: unknown('spam_test_id'),
  },
  [`GET ${SPAM}/providers`]: { well: () => ({}), wrong: withoutKey() },
};
