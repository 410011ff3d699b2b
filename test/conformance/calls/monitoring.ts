// Spam traps and the health score.
import type { Bed, Calls, Request } from '../bed.ts';
import { invalid } from './wrong.ts';

const DAY = '2026-10-01';
const SHEET = `date,type,hits,domain,subject,ip,from\n${DAY},typo,3,letters.example.com,Offer,192.0.2.1,ann@letters.example.com\n`;

/** Days with hits, since a report of them was imported. */
const withHits = async (bed: Bed): Promise<Request> => {
  await bed.once('spam trap report', () =>
    bed.get('POST /v1/spamtraps/imports', { form: { file: new File([SHEET], 'traps.csv') } }),
  );
  return { query: { start: DAY, end: DAY, sortby: 'date', ip: ['192.0.2.1'], limit: '10' } };
};

/** What is told of how sending goes. */
export const MONITORING_CALLS: Calls = {
  'GET /v1/spamtraps': { well: withHits, wrong: invalid({ query: { start: DAY, end: DAY, sortby: 'sideways' } }) },
  'GET /v1/health-score/total': {
    well: () => ({ query: { include_subaccounts: 'true' } }),
    wrong: invalid({ query: { include_subaccounts: 'perhaps' } }),
  },
  'GET /v1/health-score/grouped': {
    well: () => ({
      query: { include_subaccounts: 'true', skip: '0', limit: '10', group: 'domain', sort: 'score:desc' },
    }),
    wrong: invalid({ query: { group: 'planet' } }),
    mayBeEmpty: ['items[]'],
  },
};
