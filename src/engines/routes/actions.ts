// Actions: `forward("address or URL")`, `store()`, `store(notify="URL")` and `stop()`.
import { RouteFault } from './fault.ts';
import type { Captures } from './match.ts';
import { TokenReader } from './tokens.ts';

/** `target`: a URL or an address, in which `\g<name>` and `\1` stand for what the expression found. */
export type RouteAction =
  | { does: 'forward'; to: 'url' | 'address'; target: string }
  | { does: 'store'; notify: string | undefined }
  | { does: 'stop' };

const ACTION_LENGTH_MAX = 2000;

const ACTIONS = 'forward("an address or a URL"), store(), store(notify="a URL") or stop()';

/** Throws `RouteFault`. */
export function readAction(source: string): RouteAction {
  if (source.length > ACTION_LENGTH_MAX) throw new RouteFault(`it has at most ${ACTION_LENGTH_MAX} characters`);
  // The only mark that expressions do not have.
  const notify = /^\s*store\s*\(\s*notify\s*=/i.exec(source)?.[0];
  const reader = new TokenReader(notify === undefined ? source : `notify(${source.slice(notify.length)}`);
  const { value: name } = reader.need('name', ACTIONS);
  reader.need('mark', '(');
  const text = reader.next?.kind === 'text' ? reader.need('text', 'a text').value.trim() : undefined;
  reader.need('mark', ')');
  if (reader.next) throw reader.unexpected('the end');
  return actionOf(name.toLowerCase(), text);
}

function actionOf(name: string, text: string | undefined): RouteAction {
  const takesText = name === 'forward' || name === 'notify';
  if (takesText && !text) throw new RouteFault(`${name === 'notify' ? 'notify' : name} needs a text in quotes`);
  if (!takesText && text !== undefined) throw new RouteFault(`${name.slice(0, 40)} takes no text`);
  switch (name) {
    case 'forward': {
      const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(text!);
      return { does: 'forward', to: isUrl ? 'url' : 'address', target: text! };
    }
    case 'notify':
      return { does: 'store', notify: text! };
    case 'store':
      return { does: 'store', notify: undefined };
    case 'stop':
      return { does: 'stop' };
    default:
      throw new RouteFault(`"${name.slice(0, 40)}" is not known; valid is ${ACTIONS}`);
  }
}

const FILLED_LENGTH_MAX = 2000;

/**
 * The target with what was found. In a URL, it is one value: nothing that it holds can lead to another host or path.
 * What was not found is empty.
 */
export function fillAction(target: string, captures: Captures, to: 'url' | 'address'): string {
  const valueOf = (name: string): string => {
    const value = (captures.get(name) ?? '').toWellFormed();
    return to === 'url' ? encodeURIComponent(value) : value;
  };
  return target
    .replaceAll(/\\g<(\w{1,100})>|\\(\d{1,2})/g, (_whole, name?: string, number?: string) =>
      valueOf(name ?? (number as string)),
    )
    .slice(0, FILLED_LENGTH_MAX);
}
