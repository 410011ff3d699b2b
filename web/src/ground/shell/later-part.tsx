import { fetchAnswer } from '@galley/sdk';
import { useEffect, useState, type ComponentType } from 'react';
import { NotLoadedError } from '../not-loaded.ts';
import { alsoRetry } from './retries.ts';

/**
 * A part of a page that is loaded when it is first shown, such as a dialog. Where that fails the page stays as it is,
 * the reader is told, and the part appears once it could be loaded.
 */
export function laterPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function LaterPart(props: Props) {
    const [Part, setPart] = useState(() => loaded);
    const [failure, setFailure] = useState<NotLoadedError>();
    const bring = async (): Promise<void> => {
      let isAnswered = false;
      try {
        // Browsers keep the failure of a script until the page is loaded anew: none is asked for before the service
        // answers.
        await fetchAnswer('/favicon.svg', { method: 'HEAD', cache: 'no-store' });
        isAnswered = true;
        loaded = await load();
        setPart(() => loaded);
        setFailure(undefined);
      } catch (error) {
        setFailure(new NotLoadedError(error, { isAnswered }));
      }
    };
    useEffect(() => {
      if (!Part) void bring();
    }, []);
    useEffect(() => failure && alsoRetry({ error: failure, retry: bring }), [failure]);
    return Part ? <Part {...props} /> : null;
  };
}
