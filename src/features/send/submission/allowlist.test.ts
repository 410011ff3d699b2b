// Submission and the IP allowlist of the account.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { changeAsOperator } from '../../account/ip-allowlist/index.ts';
import { DOMAIN, mailProgram, startBed, type Bed } from './submission.fixture.ts';

const LETTER = { from: `ann@${DOMAIN}`, to: 'bob@example.net', subject: 'Hello', text: 'Hello' };

let bed: Bed;
before(async () => {
  bed = await startBed();
});
after(() => bed.close());

describe('a login over SMTP', () => {
  it('is refused from outside the allowlist, and taken from inside', async () => {
    const { outside } = bed.app.galley;
    const { account } = (await bed.app.call('GET /v1/session')).body;
    const change = (add: string, remove?: string) =>
      changeAsOperator(outside, account.id, { add: { address: add, description: '' }, ...(remove && { remove }) });
    await mailProgram(bed).sendMail(LETTER);
    await change('203.0.113.0/24');
    await assert.rejects(mailProgram(bed).sendMail(LETTER), (error: Error & { response: string }) => {
      assert.match(error.response, /^535 5\.7\.8 The IP allowlist of this account does not contain 127\.0\.0\.1\.$/);
      return true;
    });
    await change('127.0.0.0/8');
    await mailProgram(bed).sendMail(LETTER);
  });
});
