// Pictures that wait: what a test looks at while they are not there yet.
import type { App } from './start-app.ts';

/** No picture of a preview is made until it is let go, which is what the answer does. */
export function holdPictures({ galley }: Pick<App, 'galley'>): () => void {
  const { browser } = galley.outside;
  const { pick } = browser;
  const gate = Promise.withResolvers<void>();
  browser.pick = (engine, scheme) => ({
    ...pick(engine, scheme),
    render: async (request, signal) => {
      await gate.promise;
      return pick(engine, scheme).render(request, signal);
    },
  });
  return () => {
    browser.pick = pick;
    gate.resolve();
  };
}
