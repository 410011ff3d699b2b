// People who sign in.
import type { Bed, Calls, Request } from '../bed.ts';
import { invalid, unknown, withoutKey } from './wrong.ts';

const invited = (bed: Bed): Promise<{ id: string }> =>
  bed.once('user', async () => {
    const body = { email: 'ann@people.example.com', name: 'Ann', role: 'developer' };
    return (await bed.get('POST /v5/users', { json: body })).user;
  });

/** With a key whose `user_id` names the user. */
const ownKey = async (bed: Bed): Promise<Request> => {
  const { id } = await invited(bed);
  const { key } = await bed.get('POST /v1/keys', { form: { role: 'basic', user_id: id } });
  return { headers: { authorization: `Basic ${Buffer.from(`api:${key.secret}`).toString('base64')}` } };
};

export const USER_CALLS: Calls = {
  'GET /v5/users': {
    well: async (bed) => {
      await invited(bed);
      return { query: { role: 'developer', limit: '10', skip: '0' } };
    },
    wrong: invalid({ query: { role: 'unheard' } }),
  },
  'GET /v5/users/{user_id}': {
    well: async (bed) => ({ path: { user_id: (await invited(bed)).id } }),
    wrong: unknown('user_id'),
  },
  'GET /v5/users/me': { well: ownKey, wrong: withoutKey() },
};
