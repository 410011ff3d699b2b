// Which operations the audit log has: all that change something, but for those that say why not.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FEATURES } from '../src/app/features.ts';
import { isAudited } from '../src/platform/http/index.ts';

const contracts = FEATURES.flatMap(({ endpoints }) => endpoints.map(({ contract }) => contract));

describe('every operation that changes something', () => {
  it('is audited, or says why not', () => {
    const changing = contracts.filter(({ method, isQuery }) => method !== 'GET' && !isQuery);
    assert.ok(changing.length > 100);
    const silent = changing.filter((one) => !isAudited(one) && !/^[a-z].*\.$/.test(one.unaudited ?? ''));
    assert.deepEqual(
      silent.map(({ operationId }) => operationId),
      [],
      'give each a key, or a sentence in `unaudited`',
    );
  });

  it('is no read that says why it is not audited', () =>
    assert.deepEqual(
      contracts.filter(({ method, unaudited }) => method === 'GET' && unaudited !== undefined),
      [],
    ));
});
