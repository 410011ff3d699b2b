import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Compute } from '../../../platform/compute/index.ts';
import { Emulations } from './emulations.ts';
import { profileOf } from './profiles.ts';

it('whoever asks for what a client shows hears why it could not be worked out, and may ask again', async () => {
  let asked = 0;
  const compute = {
    run: async () => {
      asked += 1;
      throw new Error('the process ended');
    },
  } as unknown as Compute;
  const emulations = new Emulations({ compute, html: '<p>Hello</p>', subject: '', secondsMax: 10 });
  const wanted = { profile: profileOf('gmail_chrome'), images: true };
  await assert.rejects(emulations.find(wanted as never), /the process ended/);
  await assert.rejects(emulations.find(wanted as never), /the process ended/);
  assert.equal(asked, 2);
});
