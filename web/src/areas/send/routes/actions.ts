// Actions of routes as rows of a form, and back.
import { quote, readQuoted } from './quoted.ts';

export type Does = 'forward_url' | 'forward_address' | 'notify' | 'store';

export interface ActionRow {
  does: Does;
  target: string;
}

export interface RouteActions {
  rows: ActionRow[];
  /** No route after it is looked at. */
  isLast: boolean;
}

export const DOES: readonly { value: Does; label: string; target?: { label: string; placeholder: string } }[] = [
  {
    value: 'forward_url',
    label: 'Post to a URL',
    target: { label: 'URL', placeholder: 'https://shop.example.com/mail' },
  },
  {
    value: 'forward_address',
    label: 'Forward to an address',
    target: { label: 'Address', placeholder: 'ann@example.com' },
  },
  {
    value: 'notify',
    label: 'Keep and notify a URL',
    target: { label: 'URL', placeholder: 'https://shop.example.com/kept' },
  },
  { value: 'store', label: 'Keep only' },
];

export const NEW_ACTION: ActionRow = { does: 'forward_url', target: '' };

function actionOf({ does, target }: ActionRow): string {
  const text = quote(target.trim());
  if (does === 'store') return 'store()';
  return does === 'notify' ? `store(notify=${text})` : `forward(${text})`;
}

export const actionsOf = ({ rows, isLast }: RouteActions): string[] => [
  ...rows.map(actionOf),
  ...(isLast ? ['stop()'] : []),
];

/** Undefined where it is none that the form knows. */
export function readAction(action: string): ActionRow | 'stop' | undefined {
  const [whole = '', name = ''] = /^\s*(forward|store|stop)\s*\(\s*(?:notify\s*=\s*)?/i.exec(action) ?? [];
  const target = readQuoted(action.slice(whole.length))?.text.trim();
  switch (name.toLowerCase()) {
    case 'stop':
      return 'stop';
    case 'store':
      return target === undefined ? { does: 'store', target: '' } : { does: 'notify', target };
    case 'forward': {
      if (target === undefined) return undefined;
      return { does: /^[a-z][a-z0-9+.-]*:\/\//i.test(target) ? 'forward_url' : 'forward_address', target };
    }
    default:
      return undefined;
  }
}

export function readActions(actions: readonly string[]): RouteActions {
  const read = actions.map(readAction);
  return {
    rows: read.filter((one): one is ActionRow => one !== undefined && one !== 'stop'),
    isLast: read.includes('stop'),
  };
}
