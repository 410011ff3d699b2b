// Runs the axe-core rules in a loaded page.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { CDPSession } from 'puppeteer-core';
import { AUDIT } from './in-page.ts';
import type { AuditRequest, AuditResult } from './types.ts';
import { RenderError } from '../errors.ts';

/** The rules look at some pairs of elements; more than this would run into the render's time limit. */
const ELEMENTS_MAX = 15_000;

type Answer = Omit<AuditResult, 'browser'>;

let source: Promise<string> | undefined;

/**
 * The engine wrapped in a function, so that neither it nor what it looks for is a global name that elements can take.
 */
async function loadSource(): Promise<string> {
  const text = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  return `(function () { var module, exports, define, require; ${text}\n; return window.axe; })()`;
}

/** Audits what the frame shows. Not to be called before it has loaded. */
export async function runAxe(session: CDPSession, frameId: string, request: AuditRequest): Promise<Answer> {
  source ??= loadSource();
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId, worldName: 'galley' });
  const options = { rules: request.rules, mark: request.markAttribute ?? '', elementsMax: ELEMENTS_MAX };
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    contextId: executionContextId,
    expression: `(${AUDIT})(() => ${await source}, ${JSON.stringify(options)})`,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails !== undefined) {
    throw new RenderError(
      'load_failed',
      'The accessibility rules failed on this document.',
      exceptionDetails.exception?.description,
    );
  }
  const answer = result.value as Answer | { elements: number };
  if ('elements' in answer) {
    throw new RenderError(
      'load_failed',
      `The document has ${answer.elements} elements; up to ${ELEMENTS_MAX} can be audited.`,
    );
  }
  return answer;
}
