// The browser contexts that are open in one process: one per scope and set of assets, never shared.
import type { Browser, BrowserContext } from 'puppeteer-core';
import type { AuditRequest } from '../axe/types.ts';
import { openMailPage, type MailPage } from './page.ts';
import type { RenderRequest } from '../types.ts';

type ContextRequest = AuditRequest | RenderRequest;

export interface ChromiumContexts {
  /** The page for this render, in the context of its scope; the context used longest ago makes room for a new one. */
  pageFor(request: ContextRequest): Promise<MailPage>;
  holds(request: ContextRequest): boolean;
  /** Whether that context's page takes the document in place of the one that is there. */
  continuesWith(request: ContextRequest): boolean;
  /** Opens one context ahead for a scope yet unknown, so that its first render need not wait. */
  openSpare(): Promise<void>;
  /**
   * Draws a small document in the spare context: resolves when the processes that all contexts share are at rest again.
   */
  drawSpare(): Promise<void>;
  /** Closes the context of a render that failed: it is not used again. */
  close(request: ContextRequest): Promise<void>;
}

interface OpenContext {
  context: BrowserContext;
  page: MailPage;
}

/**
 * Renders with equal keys share a context. What one set of assets has put into its cache stays out of the next one's.
 */
function keyOf({ scope, assetsKey = '' }: ContextRequest): string {
  return JSON.stringify([scope, assetsKey]);
}

const SMALL: RenderRequest = {
  html: '<p>Still here',
  scope: '',
  width: 64,
  height: 64,
  pixelRatio: 1,
  colorScheme: 'light',
  forceDark: false,
  heightMax: 64,
  assets: async () => undefined,
};

interface Spare {
  /** The spare context, opened if need be. */
  open(): Promise<OpenContext>;
  /** The spare context, unless it failed to open or its page crashed while it waited. */
  take(): Promise<OpenContext | undefined>;
}

function keepSpare(open: () => Promise<OpenContext>): Spare {
  let spare: Promise<OpenContext> | undefined;
  return {
    async open() {
      spare ??= open();
      try {
        return await spare;
      } catch (error) {
        spare = undefined;
        throw error;
      }
    },
    async take() {
      const taken = await spare?.catch(() => undefined);
      spare = undefined;
      if (taken?.page.hasCrashed !== true) return taken;
      await taken.context.close();
      return undefined;
    },
  };
}

/** At most `contextsMax` contexts with an owner, and a spare one. */
export function createContexts(browser: Browser, contextsMax: number): ChromiumContexts {
  // In the order of their last use.
  const owned = new Map<string, OpenContext>();
  const open = async (): Promise<OpenContext> => {
    const context = await browser.createBrowserContext({ downloadBehavior: { policy: 'deny' } });
    return { context, page: await openMailPage(context) };
  };
  const spare = keepSpare(open);
  const makeRoom = async (): Promise<void> => {
    while (owned.size >= contextsMax) {
      const [oldest, { context }] = owned.entries().next().value!;
      owned.delete(oldest);
      await context.close();
    }
  };
  return {
    holds: (request) => owned.has(keyOf(request)),
    continuesWith: (request) => owned.get(keyOf(request))?.page.continuesWith(request) ?? false,
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
        found = (await spare.take()) ?? (await open());
      }
      owned.delete(key);
      owned.set(key, found);
      return found.page;
    },
    async openSpare() {
      await spare.open();
    },
    async drawSpare() {
      const { page } = await spare.open();
      await page.render(SMALL);
    },
    async close(request) {
      const key = keyOf(request);
      const failed = owned.get(key);
      owned.delete(key);
      await failed?.context.close();
    },
  };
}
