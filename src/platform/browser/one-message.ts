// The pictures of one message, for callers that make them one after the other in one go.
import type { Browser } from './index.ts';
import { RenderError } from './errors.ts';
import type { EngineName, Rendering, RenderRequest } from './types.ts';

/**
 * Makes pictures of one message: one that the message makes fail is tried once more, patiently, until that has failed
 * for one; then each gets its quick try. So a message that is too much in every client costs a few seconds in each, not
 * a minute.
 */
export function rendersOfMessage(
  browser: Pick<Browser, 'pick'>,
): (engine: EngineName, request: RenderRequest, signal: AbortSignal) => Promise<Rendering> {
  let isTooMuch = false;
  return async (engine, request, signal) => {
    const renderer = browser.pick(engine, request.colorScheme);
    try {
      return await renderer.render({ ...request, effort: 'quick' }, signal);
    } catch (error) {
      if (isTooMuch || !(error instanceof RenderError && error.isOfDocument)) throw error;
    }
    try {
      return await renderer.render({ ...request, effort: 'patient' }, signal);
    } catch (error) {
      isTooMuch ||= error instanceof RenderError && error.isOfDocument;
      throw error;
    }
  };
}
