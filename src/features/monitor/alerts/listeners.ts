// What features below publish, and somebody should hear of. Each listener reads how things stand now: facts may come
// twice, or one after the other's turn.
import type { Static, TSchema } from 'typebox';
import { whenTold, type Fact } from '../../../platform/facts/index.ts';
import { defineJob, type Outside } from '../../../platform/feature/index.ts';
import {
  countInboxesOf,
  findNewest,
  findResult,
  inboxSentences,
  placementChanged,
  placementEnded,
} from '../../placement/inbox-placement/index.ts';
import { gateEnded, gateFailed } from '../../proof/gate/index.ts';
import { findTest, listResults, previewEnded } from '../../proof/previews/index.ts';
import { findSpamTest, spamTestEnded } from '../../proof/spam-tests/index.ts';
import { batchHeld, findBatch, reasonOf } from '../../send/sending-batches/index.ts';
import { domainRecordsChanged, findDomain, type RecordCheck } from '../../send/sending-domains/index.ts';
import { addressesValidated, findJob } from '../../send/address-validations/index.ts';
import { certificateChanged, findServedCertificate } from '../../send/submission/index.ts';
import { findEndingCertificate, trackingCertificateChanged } from '../../send/tracking-certificates/index.ts';
import { raiseAlert } from './raise.ts';

type Doors = Pick<Outside, 'db' | 'jobs' | 'clock'>;

/** The job `alerts.<name>` that hears a fact. */
function hear<Payload extends TSchema>(
  fact: Fact<Payload>,
  name: string,
  run: (outside: Doors, told: Static<Payload>) => Promise<void>,
) {
  const { payload } = fact;
  const job = defineJob({ name: `alerts.${name}`, payload, lane: 'quick', attempts: 5, timeoutMs: 30_000, run });
  return { job, subscription: whenTold(fact, job) };
}

const REASONS_MAX = 3;

/** One that fails again within the hour is counted, by the name of the email. */
const gates = hear(gateFailed, 'hear-gates', async (outside, { accountId, gateId, email, reasons }) => {
  const shown = reasons.slice(0, REASONS_MAX).join(' ');
  await raiseAlert(outside, undefined, {
    accountId,
    event: 'gate_failed',
    subject: email,
    data: {
      message: `The gate of ${email} failed. ${shown}`.trim(),
      fix: 'Mend what its findings name, and run it again.',
      page: `/gate/${gateId}`,
      gate_id: gateId,
      email,
      reasons,
    },
  });
});

const batches = hear(batchHeld, 'hear-batches', async (outside, { accountId, batchId }) => {
  const batch = await findBatch(outside.db, accountId, batchId);
  if (batch?.state !== 'held') return;
  const { kind, name, domain, recipients, delivered, bounced, deferred } = batch;
  await raiseAlert(outside, undefined, {
    accountId,
    event: 'batch_held',
    subject: `${domain} · batch ${batchId}`,
    data: {
      message: `A batch of ${domain} is held. ${reasonOf(batch)}`,
      fix: 'Look at what the first recipients answered, then release the batch or drop it.',
      page: '/held',
      batch: { id: batchId, domain, kind, name, recipients, delivered, bounced, deferred },
    },
  });
});

const RECORDS = { spf: 'SPF', dkim: 'DKIM', dmarc: 'DMARC' } as const;

function lostWords(name: string, domain: string, { found, valid, policy, policyBefore }: RecordCheck): string {
  if (valid === 'valid') return `The ${name} policy of ${domain} was weakened from p=${policyBefore} to p=${policy}.`;
  if (found.length === 0) return `The ${name} record of ${domain} is gone.`;
  if (found.length > 1) return `${domain} has ${found.length} ${name} records where one may be.`;
  return `The ${name} record of ${domain} was changed and no longer fits: ${found[0]?.slice(0, 300)}`;
}

const domains = hear(domainRecordsChanged, 'hear-domains', async (outside, { accountId, domain: name, records }) => {
  const domain = await findDomain(outside.db, accountId, name);
  for (const record of records) {
    const check = domain?.checks[record];
    const title = RECORDS[record];
    const over = domain ? `The ${title} record of ${name} is as it should be again.` : `${name} was deleted.`;
    const isOver = check?.standing !== 'lost';
    await raiseAlert(outside, undefined, {
      accountId,
      event: 'authentication_broken',
      subject: `${name} ${record}`,
      data: {
        message: isOver ? over : lostWords(title, name, check),
        fix:
          check?.valid === 'valid'
            ? 'Publish the former policy again. If the new one is meant, verify the domain.'
            : 'Publish the record that the page of the domain shows, then verify the domain.',
        page: domain ? `/domains/${name}` : '/domains',
        domain: name,
        record,
      },
      ...(isOver && { isOver }),
    });
  }
});

const percent = (share: number): string => `${Math.round(share * 100)} %`;

const placement = hear(placementChanged, 'hear-placement', async (outside, { accountId, listId }) => {
  const newest = await findNewest(outside.db, accountId, listId);
  if (!newest)
    return raiseAlert(outside, undefined, {
      accountId,
      event: 'placement_fell',
      subject: listId,
      data: { message: 'The seed list, or all of its results, were deleted.', page: '/placement' },
      isOver: true,
    });
  const { fall, seedListName, resultId } = newest;
  const list = `the seed list ${seedListName}`;
  await raiseAlert(outside, undefined, {
    accountId,
    event: 'placement_fell',
    subject: listId,
    data: {
      message: fall
        ? `The share in the inbox at ${list} fell from ${percent(fall.before)} to ${percent(fall.after)}.`
        : `The share in the inbox at ${list} is no longer below the one before its fall.`,
      fix: 'Compare the two results: what changed in the message, its sender or its authentication?',
      page: `/placement/${resultId}`,
      result_id: resultId,
      ...(fall && { earlier_result_id: fall.from, inbox_before: fall.before, inbox_after: fall.after }),
    },
    ...(fall === null && { isOver: true }),
  });
});

const certificates = hear(certificateChanged, 'hear-certificates', async (outside, { accountId }) => {
  const served = await findServedCertificate(outside.db);
  if (!served) return;
  const { names, validTo, isEnding } = served;
  await raiseAlert(outside, undefined, {
    accountId,
    event: 'certificate_expiring',
    subject: 'submission',
    data: {
      message:
        `The certificate of submission by SMTP (${names}) ` +
        `${isEnding ? 'is' : 'was renewed, and is'} valid until ${validTo.toISOString().slice(0, 10)}.`,
      fix: 'Put a renewed certificate where GALLEY_SUBMISSION_CERTIFICATE and GALLEY_SUBMISSION_KEY say.',
      expires_at: validTo.toISOString(),
    },
    ...(!isEnding && { isOver: true }),
  });
});

const trackingCertificates = hear(
  trackingCertificateChanged,
  'hear-tracking-certificates',
  async (outside, { accountId, host, valid_to: validTo }) => {
    const ending = await findEndingCertificate(outside.db, accountId, host);
    const day = (ending?.validTo.toISOString() ?? validTo)?.slice(0, 10);
    const over = day ? `was renewed, and is valid until ${day}` : 'is no longer used';
    await raiseAlert(outside, undefined, {
      accountId,
      event: 'certificate_expiring',
      subject: `tracking ${host}`,
      data: {
        message: `The certificate of the tracking host ${host} ${ending ? `is valid until ${day}` : over}.`,
        ...(ending && {
          fix:
            ending.domain === null
              ? 'Put a renewed certificate into the folder of GALLEY_TRACKING_CERTIFICATES.'
              : 'It was to be renewed by now: the page of the domain shows what kept the authority from it.',
        }),
        ...(ending?.domain && { page: `/domains/${ending.domain}`, domain: ending.domain }),
        ...(day && { expires_at: ending?.validTo.toISOString() ?? validTo }),
        host,
      },
      ...(!ending && { isOver: true }),
    });
  },
);

const validations = hear(addressesValidated, 'hear-validations', async (outside, { accountId, name }) => {
  const job = await findJob(outside.db, accountId, name);
  if (!job?.finishedAt) return;
  const { quantity, processed, status, summary, createdAt, failure } = job;
  await raiseAlert(outside, undefined, {
    accountId,
    event: 'validation_job',
    subject: name,
    data: {
      message:
        status === 'uploaded'
          ? `Validation job ${name} is complete`
          : `Validation job ${name} was given up: ${failure}.`,
      bulk_validation_job: { created_at: createdAt.toISOString(), list_id: name, quantity, processed, status, summary },
    },
  });
});

const previews = hear(previewEnded, 'hear-previews', async (outside, { accountId, testId }) => {
  const test = await findTest(outside.db, accountId, testId);
  if (!test) return;
  const results = await listResults(outside.db, accountId, testId);
  const idsOf = (wanted: string): string[] =>
    results.filter(({ status }) => status === wanted).map(({ clientId }) => clientId);
  const completed = idsOf('completed');
  const bounced = idsOf('bounced');
  await raiseAlert(outside, undefined, {
    accountId,
    event: 'preview_finished',
    subject: testId,
    data: {
      message: `The preview test "${test.name}" is finished: ${completed.length} completed, ${bounced.length} bounced.`,
      page: `/previews/${testId}`,
      test_id: testId,
      subject: test.subject,
      completed,
      bounced,
      ...(test.referenceId !== null && { reference_id: test.referenceId }),
      ...(test.customerId !== null && { customer_id: test.customerId }),
    },
  });
});

const VERDICTS = { pass: 'passed', fail: 'failed', unknown: 'could not run' } as const;

const finishedGates = hear(
  gateEnded,
  'hear-finished-gates',
  async (outside, { accountId, gateId, email, ...ended }) => {
    const { verdict, reasons } = ended;
    const shown = reasons.slice(0, REASONS_MAX).join(' ');
    await raiseAlert(outside, undefined, {
      accountId,
      event: 'gate_finished',
      subject: gateId,
      data: {
        message: `The gate of ${email ?? gateId} ${VERDICTS[verdict]}. ${shown}`.trim(),
        page: `/gate/${gateId}`,
        gate_id: gateId,
        ...(email !== undefined && { email }),
        verdict,
        reasons,
      },
    });
  },
);

const spamTests = hear(spamTestEnded, 'hear-spam-tests', async (outside, { accountId, testId, counts, reason }) => {
  const test = await findSpamTest(outside.db, accountId, testId);
  if (!test) return;
  const called = `The spam test "${test.name || test.subject}"`;
  await raiseAlert(outside, undefined, {
    accountId,
    event: 'spam_test_finished',
    subject: testId,
    data: {
      message: counts
        ? `${called} is finished: the message is in the inbox of ${counts.passed} of ${counts.providers} ` +
          'mailboxes, simulated receivers counted.'
        : `${called} was given up: ${reason ?? 'no reason was kept'}`,
      page: `/spam/${testId}`,
      test_id: testId,
      ...counts,
    },
  });
});

const finishedPlacements = hear(
  placementEnded,
  'hear-finished-placements',
  async (outside, { accountId, resultId }) => {
    const result = await findResult(outside.db, accountId, resultId);
    if (!result) return;
    const counts = await countInboxesOf(outside, { accountIds: [accountId], testIds: [resultId] });
    await raiseAlert(outside, undefined, {
      accountId,
      event: 'placement_finished',
      subject: resultId,
      data: {
        message: `The placement test "${result.subject}" is finished. ${inboxSentences(counts)}`,
        page: `/placement/${resultId}`,
        result_id: resultId,
        real: counts.real,
        simulated: counts.simulated,
      },
    });
  },
);

const heard = [
  gates,
  finishedGates,
  previews,
  spamTests,
  batches,
  domains,
  placement,
  finishedPlacements,
  certificates,
  trackingCertificates,
  validations,
];

export const listenerJobs = heard.map(({ job }) => job);
export const listensTo = heard.map(({ subscription }) => subscription);
