// What schedules do: each task reads its body when the schedule is made, and carries it out when its time has come.
import type { Sql } from '../../../platform/db/index.ts';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { startTest, type PlacementBody } from '../../placement/inbox-placement/index.ts';
import { readSource } from '../../proof/_message/index.ts';
import { checksFrom, clientsFrom, policyFrom, rulesOf, startGate, type GateBody } from '../../proof/gate/index.ts';
import type { Static } from 'typebox';
import { readPage, TEXT_LENGTH_MAX } from './computations.ts';
import type { PageBody, Task } from './contract.ts';
import { endRunWith } from './ends.ts';
import { setResource, type Run } from './runs-store.ts';
import { findPage, keepPage, type Schedule } from './store.ts';

type TaskDoors = Pick<
  Outside,
  'config' | 'db' | 'jobs' | 'blobs' | 'clock' | 'lists' | 'fetch' | 'compute' | 'ports' | 'secrets' | 'facts'
>;

interface TaskKind {
  /** Throws `invalid_request` or `invalid_client` for a body that could never run. */
  check(outside: Pick<Outside, 'lists'>, body: Record<string, unknown>): void;
  /** Starts it, in a transaction that notes in the run what was started; or ends the run. */
  run(outside: TaskDoors, schedule: Schedule, run: Run): Promise<void>;
}

const SOURCES = ['html', 'url', 'mime', 'template'] as const;

const gate: TaskKind = {
  check({ lists }, request) {
    const body = request as GateBody;
    const rules = rulesOf({ lists });
    if (SOURCES.filter((source) => body[source] !== undefined && body[source] !== null).length !== 1)
      throw invalid('gate', `must have exactly one of ${SOURCES.join(', ')}.`);
    policyFrom(body.policy, rules);
    const hasPictures = (body.clients ?? null) !== null || (body.baseline ?? null) !== null;
    checksFrom(body.checks, { rules, hasPictures });
    clientsFrom(body.clients, []);
  },
  async run(outside, { request }, run) {
    const { accountId } = run;
    const note = (tx: Sql, gateId: string): Promise<void> => setResource(tx, run, gateId);
    await startGate({ ...outside, principal: { accountId } }, request as GateBody, { beside: note });
  },
};

const placement: TaskKind = {
  check(_outside, request) {
    const { html, text, template_name, account_template_name } = request as Static<typeof PlacementBody>;
    if (![html, text, template_name, account_template_name].some(Boolean))
      throw invalid('placement', 'must have one of html, text, template_name, account_template_name.');
  },
  async run(outside, { request }, run) {
    const { accountId } = run;
    const note = (tx: Sql, resultId: string): Promise<void> => setResource(tx, run, resultId);
    await startTest({ ...outside, principal: { accountId } }, request as Static<typeof PlacementBody>, note);
  },
};

const page: TaskKind = {
  check(_outside, request) {
    const { url } = request as PageBody;
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw invalid('page.url', 'must be an absolute http or https URL.');
  },
  async run(outside, schedule, run) {
    const { url } = schedule.request as PageBody;
    const { body } = await readSource(outside, { url });
    const before = await findPage(outside.db, schedule, url);
    const { text, isCut, change } = await outside.compute.run(readPage, { html: body, before });
    const bound = isCut ? ` Its first ${TEXT_LENGTH_MAX} characters of text are compared.` : '';
    const said = change
      ? `The text of ${url} changed. New lines: ${change.added_count}. Lines that are gone: ${change.removed_count}.`
      : `The text of ${url} ${before === undefined ? 'was read for the first time.' : 'is as it was.'}`;
    const state = change ? 'changed' : before === undefined ? 'first' : 'unchanged';
    await outside.db.tx(async (tx) => {
      const { id: scheduleId, accountId } = schedule;
      const isNews = await endRunWith(outside, tx, {
        schedule,
        run,
        end: { state, message: said + bound, change: change ?? null },
      });
      if (isNews) await keepPage(tx, { scheduleId, accountId, url, pageText: text, readAt: outside.clock.now() });
    });
    outside.jobs.wake();
  },
};

export const TASK_KINDS: Record<Task, TaskKind> = { gate, placement, page };

const HOPELESS = ['invalid_request', 'invalid_client', 'not_found', 'too_large', 'forbidden', 'conflict'];

/** Whether trying once more is of no use: the body of the task is wrong, or what it names is gone. */
export const isHopeless = (error: unknown): error is AppError =>
  error instanceof AppError && HOPELESS.includes(error.code);
