// A kind of inspection that stands beside Galley's own: this folder, and one line in a list of features. What is
// written in capitals is a finding.
import { Type } from 'typebox';
import type { Finding } from '../../../src/engines/findings/index.ts';
import { defineInspection, inspectionFeature } from '../../../src/features/proof/_inspections/index.ts';
import { bufferOf, nameOfSource, type StoredSource } from '../../../src/features/proof/_message/index.ts';

const shoutingTests = defineInspection<StoredSource, { words: string[] }>({
  kind: 'shouting',
  noun: 'odd test',
  lane: 'quick',
  timeoutMs: 10_000,
  listing: {
    path: '/v1/inspect/shouting',
    label: 'Shouting',
    about: 'Finds words in capitals.',
    tag: { name: 'Shouting', about: 'Finds what is shouted in an email.' },
    shows: { result: Type.Object({ words: Type.Array(Type.String()) }), counts: ['words'] },
    contentChecking: { field: 'shouting', order: 50 },
    gate: {
      check: 'shouting',
      order: 50,
      groups: { shouting: 'Shouting' },
      limits: [
        {
          name: 'shouted_words_max',
          order: 70,
          about: 'How many words may be shouted.',
          of: { rule: 'shouting/word' },
          label: 'Shouted words, at most',
        },
      ],
    },
  },
  nameOf: nameOfSource,
  async inspect(_outside, { body }) {
    const text = bufferOf(body).toString('utf8');
    const words = [...text.replaceAll(/<[^>]*>/g, ' ').matchAll(/\b[A-Z]{4,}\b/g)].map(([word]) => word);
    const findings = words.map((word): Finding => ({
      rule: 'shouting/word',
      severity: 'error',
      message: `${word} is shouted.`,
    }));
    return { result: { words }, findings, summary: { words: words.length } };
  },
});

export default inspectionFeature(shoutingTests);
