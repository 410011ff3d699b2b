import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bounceTokenOf, openDelivery } from '../../../engines/delivery-tokens/index.ts';
import type { Config } from '../../../platform/config/index.ts';
import { createSecrets } from '../../../platform/secrets/index.ts';
import { deliverySecret, oneClickOf, returnPathOf, unsubscribeLinksOf } from './index.ts';

describe('the return path of a delivery', () => {
  const outside = { secrets: createSecrets(Buffer.alloc(32, 1)), config: { smtp: { domain: 'mx.test' } } as Config };
  const delivery = { messageId: '12', position: 3 };
  const path = returnPathOf(outside, delivery);
  const token = bounceTokenOf(path) as string;

  it('is an address of the mail listener, which names the delivery', () => {
    assert.match(path, /^b\+[\w-]{22}@mx\.test$/);
    assert.deepEqual(openDelivery(token, deliverySecret(outside, 'bounce')), delivery);
  });
  it('opens nothing that is asked for another purpose, or by another service', () => {
    assert.equal(openDelivery(token, deliverySecret(outside, 'unsubscribe')), undefined);
    const other = { secrets: createSecrets(Buffer.alloc(32, 2)) };
    assert.equal(openDelivery(token, deliverySecret(other, 'bounce')), undefined);
  });
});

describe('links to unsubscribe', () => {
  const rows: [publicUrl: string, oneClick: string, link: string | undefined][] = [
    ['https://mail.test', 'post', 'https://mail.test/u/'],
    // One click is for https alone.
    ['http://mail.test', 'link', 'http://mail.test/u/'],
    ['', 'none', undefined],
  ];
  for (const [publicUrl, oneClick, link] of rows)
    it(`lead to ${publicUrl || 'nowhere without an address'}, by ${oneClick}`, () => {
      const outside = { secrets: createSecrets(Buffer.alloc(32, 1)), config: { publicUrl } as Config };
      assert.equal(oneClickOf(outside, { options: { isUnsubscribable: true } }), oneClick);
      assert.equal(oneClickOf(outside, { options: {} }), 'none');
      const links = unsubscribeLinksOf(outside, { messageId: '12', position: 3 });
      assert.equal(links?.tagUnsubscribe.replace(/[\w-]{22}$/, ''), link);
      assert.equal(links?.unsubscribe, links && `${links.tagUnsubscribe}?all=yes`);
    });
});
