// The browser contexts that are open in one process: one per scope and set of assets, never shared.
import type { Browser, BrowserContext } from 'puppeteer-core';
import type { AuditRequest } from './axe-types.ts';
import { openMailPage, type MailPage } from './chromium-page.ts';
import type { RenderRequest } from './types.ts';

type ContextRequest = AuditRequest | RenderRequest;

export interface ChromiumContexts {
  /** The page for this render, in the context of its scope; the context used longest ago makes room for a new one. */
  pageFor(request: ContextRequest): Promise<MailPage>;
  holds(request: ContextRequest): boolean;
  /** Opens one context ahead for a scope yet unknown, so that its first render need not wait. */
  openSpare(): Promise<void>;
  /** Closes the context of a render that failed: it is not used again. */
  close(request: ContextRequest): Promise<void>;
}

interface OpenContext {
  context: BrowserContext;
  page: MailPage;
}

/** Renders with equal keys share a context. What one set of assets has put into its cache stays out of the next one's. */
function keyOf({ scope, assetsKey = '' }: ContextRequest): string {
  return JSON.stringify([scope, assetsKey]);
}

/** At most `contextsMax` contexts with an owner, and a spare one. */
export function createContexts(browser: Browser, contextsMax: number): ChromiumContexts {
  // In the order of their last use.
  const owned = new Map<string, OpenContext>();
  let spare: Promise<OpenContext> | undefined;

  const open = async (): Promise<OpenContext> => {
    const context = await browser.createBrowserContext({ downloadBehavior: { policy: 'deny' } });
    return { context, page: await openMailPage(context) };
  };
  /** The spare context, unless it failed to open or its page crashed while it waited. */
  const takeSpare = async (): Promise<OpenContext | undefined> => {
    const taken = await spare?.catch(() => undefined);
    spare = undefined;
    if (taken?.page.hasCrashed !== true) return taken;
    await taken.context.close();
    return undefined;
  };
  const makeRoom = async (): Promise<void> => {
    while (owned.size >= contextsMax) {
      const [oldest, { context }] = owned.entries().next().value!;
      owned.delete(oldest);
      await context.close();
    }
  };
  return {
    holds: (request) => owned.has(keyOf(request)),
    async pageFor(request) {
      const key = keyOf(request);
      let found = owned.get(key);
      if (found?.page.hasCrashed === true) {
        owned.delete(key);
        await found.context.close();
        found = undefined;
      }
      if (found === undefined) {
        await makeRoom();
        found = await takeSpare() ?? await open();
      }
      owned.delete(key);
      owned.set(key, found);
      return found.page;
    },
    async openSpare() {
      spare ??= open();
      try {
        await spare;
      } catch (error) {
        spare = undefined;
        throw error;
      }
    },
    async close(request) {
      const key = keyOf(request);
      const failed = owned.get(key);
      owned.delete(key);
      await failed?.context.close();
    },
  };
}
