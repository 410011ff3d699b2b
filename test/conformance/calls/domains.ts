// Sending domains that calls need.
import type { Bed } from '../bed.ts';

/** The domain that every account may send from at once. */
export const sandboxOf = (bed: Bed): Promise<string> =>
  bed.once('sandbox', async () => {
    const { items } = await bed.get('GET /v4/domains');
    return items.find(({ type }: { type: string }) => type === 'sandbox').name;
  });

/** A domain of this name, made when it is first asked for; nobody has verified it. */
export const domainOf = (bed: Bed, name: string): Promise<string> =>
  bed.once(`domain ${name}`, async () => {
    await bed.get('POST /v4/domains', { form: { name } });
    return name;
  });
