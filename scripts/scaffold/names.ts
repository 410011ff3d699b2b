// What a new resource is called: in paths, in code, in the database, in sentences.
import { AREAS } from '../../test/harness/areas.ts';

export interface Names {
  area: string;
  /** `soft-bounces`: the folder, the path, the feature. */
  many: string;
  /** `softBounces`, `SoftBounces`, `soft_bounces`, `soft bounces`. */
  manyCamel: string;
  manyPascal: string;
  table: string;
  manyWords: string;
  /** `Soft bounces`: as a sentence begins. */
  manyCapital: string;
  /** `soft-bounce` and its forms. */
  one: string;
  oneCamel: string;
  onePascal: string;
  oneSnake: string;
  oneWords: string;
  /** The part of the dashboard that the page stands in. */
  section: string;
}

/** By area; the others' pages stand in that of proofing. */
const SECTIONS: Readonly<Record<string, string>> = {
  account: 'Settings',
  send: 'Send',
  monitor: 'Monitor',
  work: 'Automate',
};

const camel = (name: string): string => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
const pascal = (name: string): string => camel(`-${name}`);
const snake = (name: string): string => name.replaceAll('-', '_');
const words = (name: string): string => name.replaceAll('-', ' ');

/** `addresses` is made of `address`, `replies` of `reply`, `bounces` of `bounce`; others are told by `--one`. */
function singularOf(many: string): string {
  if (many.endsWith('ies')) return `${many.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(many)) return many.slice(0, -2);
  return many.replace(/s$/, '');
}

/** Reads `send/bounces`. Throws, saying what is valid. */
export function readNames(path: string, one?: string): Names {
  const [area = '', many = '', ...rest] = path.split('/');
  if (!AREAS.includes(area) || !/^[a-z]+(?:-[a-z]+)*$/.test(many) || rest.length > 0)
    throw new Error(
      `"${path}" is no place for a resource: give area/resource, such as send/bounces; the areas are ` +
        `${AREAS.join(', ')}.`,
    );
  const singular = one ?? singularOf(many);
  if (!/^[a-z]+(?:-[a-z]+)*$/.test(singular) || singular === many)
    throw new Error(`What is one of the ${words(many)} called? Say it: --one name.`);
  return {
    area,
    many,
    manyCamel: camel(many),
    manyPascal: pascal(many),
    table: snake(many),
    manyWords: words(many),
    manyCapital: words(many).replace(/^./, (letter) => letter.toUpperCase()),
    one: singular,
    oneCamel: camel(singular),
    onePascal: pascal(singular),
    oneSnake: snake(singular),
    oneWords: words(singular),
    section: SECTIONS[area] ?? 'Proof',
  };
}
