import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { definePort, openPorts, provide } from './index.ts';

const greeting = definePort<(name: string) => string>('toys.greeting');
const hello = provide(greeting, (name) => `Hello, ${name}`);

describe('ports', () => {
  it('give what the provider brings', () =>
    assert.equal(openPorts([greeting], [hello]).get(greeting)('Ada'), 'Hello, Ada'));

  const wrong: [string, () => unknown, RegExp][] = [
    ['without a provider', () => openPorts([greeting], []), /No feature provides the port toys\.greeting/],
    ['with two providers', () => openPorts([greeting], [hello, hello]), /Two features provide the port toys\.greeting/],
    ['of one name', () => openPorts([greeting, greeting], [hello]), /Two ports are named toys\.greeting/],
    ['that are provided but not declared', () => openPorts([], [hello]), /No feature declares the port toys\.greeting/],
  ];
  for (const [what, open, message] of wrong) it(`refuse to start ${what}`, () => assert.throws(open, { message }));

  it('refuse to give what no feature declares', () =>
    assert.throws(() => openPorts([], []).get(greeting), /No feature declares the port toys\.greeting/));
});
