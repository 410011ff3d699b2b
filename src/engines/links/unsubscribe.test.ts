import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { looksLikeUnsubscribe, unsubscribeUrls } from './index.ts';

describe('unsubscribe links', () => {
  it('are known by their address', () => {
    for (const url of [
      'https://a.example/unsubscribe?id=1',
      'https://a.example/u/?action=opt-out',
      'https://list-manage.example/unsubscribe/post',
      'https://a.example/abmelden',
      'https://a.example/x?u=1%2Funsubscribe',
      'https://a.example/email-preferences',
      'https://unsubscribe.a.example/x',
    ])
      assert.equal(looksLikeUnsubscribe({ url }), true, url);
  });
  it('are known by their text, in several languages', () => {
    for (const text of [
      'Unsubscribe',
      'Click here to opt out',
      'Newsletter abbestellen',
      'Se désabonner',
      'Darse de baja',
      'отписаться от рассылки',
      '配信停止はこちら',
      '退订',
    ])
      assert.equal(looksLikeUnsubscribe({ url: 'https://click.example/x', text }), true, text);
  });
  it('are not mistaken', () => {
    for (const [url, text] of [
      ['https://a.example/subscribe', 'Subscribe'],
      ['https://a.example/blog/how-unsubscribers-behave', 'Read on'],
      ['https://a.example/optical-outlet', 'Opt for more'],
      ['https://a.example/shop', 'Shop now'],
    ] as const)
      assert.equal(looksLikeUnsubscribe({ url, text }), false, url);
  });
  it('are read from List-Unsubscribe', () => {
    assert.deepEqual(
      unsubscribeUrls('<mailto:u@a.example?subject=u>,\r\n <https://a.example/u/1>, < http://b.example/2 >'),
      ['https://a.example/u/1', 'http://b.example/2'],
    );
    assert.deepEqual(unsubscribeUrls('https://a.example/'), []);
  });
});
