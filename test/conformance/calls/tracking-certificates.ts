// Certificates of tracking hosts; the authority of this bed never answers.
import { LINK_HOST, type Bed, type Calls } from '../bed.ts';
import { domainOf } from './domains.ts';
import { unknown } from './wrong.ts';

const POST = 'POST /v2/x509/{domain}';
const STATUS = 'GET /v2/x509/{domain}/status';

/** A verified domain whose tracking host leads to the service. */
const trackedOf = (bed: Bed, name: string): Promise<string> =>
  bed.once(`tracked ${name}`, async () => {
    await domainOf(bed, name);
    bed.names.add(`email.${name} CNAME`, [LINK_HOST]);
    const { items } = await bed.get('GET /v4/domains/{authority_name}/keys', { path: { authority_name: name } });
    for (const { dns_record: record } of items) bed.names.add(`${record.name} TXT`, [record.value]);
    await bed.get('PUT /v4/domains/{name}/verify', { path: { name } });
    return name;
  });

/** One whose certificate was asked for, and could not be had. */
const failedOf = (bed: Bed): Promise<string> =>
  bed.once('failed certificate', async () => {
    const domain = await trackedOf(bed, 'failed-x509.example.com');
    await bed.get(POST, { path: { domain } });
    await bed.until(STATUS, { path: { domain } }, ({ status }) => status === 'error');
    return domain;
  });

/** Of tracking certificates. */
export const CERTIFICATE_CALLS: Calls = {
  [STATUS]: {
    well: async (bed) => ({ path: { domain: await failedOf(bed) } }),
    wrong: unknown('domain'),
  },
  [POST]: {
    well: async (bed) => ({ path: { domain: await trackedOf(bed, 'x509.example.com') } }),
    wrong: unknown('domain'),
  },
  'PUT /v2/x509/{domain}': {
    well: async (bed) => ({ path: { domain: await failedOf(bed) } }),
    wrong: unknown('domain'),
  },
};
