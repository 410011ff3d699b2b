// What mailbox providers say: exports are uploaded, and every list read.
import type { Bed, Call, Calls } from '../bed.ts';
import { invalid } from './wrong.ts';

const GPT = '/v1/reputationanalytics/gpt';
const UPLOADS = 'POST /v1/galley/postmaster/uploads';
const SHEETS: readonly [provider: string, sheet: string][] = [
  [
    'google',
    'date,domain,spam rate,spf,dkim,dmarc,tls,delivery errors,reputation\n' +
      '2026-11-20,figures.example.com,0.1%,99%,99%,98%,100%,1%,high\n',
  ],
  ['google', 'date,domain,ip,reputation\n2026-11-20,figures.example.com,192.0.2.1,high\n'],
  ['google', 'date,domain,feedback loop id,spam rate\n2026-11-20,figures.example.com,spring,0.2%\n'],
  ['snds', 'IP,Date,Message recipients,Filter result,Complaint rate\n192.0.2.1,2026-11-20,100,GREEN,< 0.1%\n'],
];

const figures = (bed: Bed): Promise<void> =>
  bed.once('postmaster figures', async () => {
    for (const [provider, sheet] of SHEETS)
      await bed.get(UPLOADS, { form: { provider, file: new File([sheet], 'export.csv', { type: 'text/csv' }) } });
  });

const read = (path: Record<string, string> = {}): Call => ({
  well: async (bed) => {
    await figures(bed);
    return { path };
  },
  wrong: invalid(() => ({ path, query: { limit: '0' } })),
});
const domain = { domain: 'figures.example.com' };

/** Google's Postmaster Tools and Microsoft's SNDS. */
export const POSTMASTER_CALLS: Calls = {
  [`GET ${GPT}/domains`]: read(),
  [`GET ${GPT}/domains/{domain}`]: read(domain),
  [`GET ${GPT}/domains/{domain}/addresses`]: read(domain),
  [`GET ${GPT}/domainsfbl`]: read(),
  [`GET ${GPT}/domainsfbl/{domain}`]: read(domain),
  [`GET ${GPT}/addresses`]: read(),
  [`GET ${GPT}/addresses/{address}`]: read({ address: '192.0.2.1' }),
  [`GET ${GPT}/summary`]: read(),
  [`GET ${GPT}/summary/domains`]: read(),
  [`GET ${GPT}/summary/errors`]: read(),
  [`GET ${GPT}/summary/addresses`]: read(),
  'GET /v1/reputationanalytics/snds/{ip}': read({ ip: '192.0.2.1' }),
};
