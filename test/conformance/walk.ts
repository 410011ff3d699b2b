// Calls every operation of the lists on a running service, and says what is right.
import { CALLS } from './calls/index.ts';
import type { Answer, Bed, Call } from './bed.ts';
import { parseShape, type Difference, type Shape } from './notation.ts';
import { COMPARISON, errorShapeOf, keyOf, LISTS, parametersOf, type Operation } from './operations.ts';

/**
 * `not yet`: the service's router knows no such endpoint, or none that tells what a good call needs to name. Everything
 * else stands, and is right or wrong; an endpoint without a call of its own here is wrong, since nothing shows that it
 * is right.
 */
export type State = 'right' | 'wrong' | 'not yet';

export interface Verdict {
  operation: Operation;
  state: State;
  /** What is wrong, field by field. */
  faults: string[];
  /** What it waits for, though it answers. */
  waitsFor: string[];
  /** Required fields that the service leaves out on purpose where it does not know them. */
  leftOut: string[];
  /** Fields of the reply that the table does not know. */
  extra: string[];
  /** Parameters that the service's own OpenAPI document does not name. */
  notTaken: string[];
}

export interface ListVerdict {
  title: string;
  verdicts: Verdict[];
}

type Judged = Pick<Verdict, 'faults' | 'leftOut' | 'extra'>;

const sentenceOf = ({ at, kind, what }: Difference): string =>
  kind === 'missing' ? `${at} is missing (${what})` : `${at} is to be ${what}`;

function judgeBody(
  answer: Answer,
  shape: Shape,
  { mayBeEmpty = [], leavesOut = [] }: Pick<Call, 'mayBeEmpty' | 'leavesOut'> = {},
): Judged {
  const differences = COMPARISON.differences(answer.body, shape);
  const isLeftOut = ({ at, kind }: Difference): boolean => kind === 'missing' && leavesOut.includes(at);
  const isFault = (one: Difference): boolean =>
    one.kind !== 'extra' && !isLeftOut(one) && !(one.kind === 'empty' && mayBeEmpty.includes(one.at));
  return {
    faults: differences.filter(isFault).map(sentenceOf),
    leftOut: [...new Set(differences.filter(isLeftOut).map(({ at }) => at))],
    extra: differences.filter(({ kind }) => kind === 'extra').map(({ at }) => at),
  };
}

const shortened = (body: unknown): string => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};

async function judgeWell(bed: Bed, operation: Operation, call: Call): Promise<Judged> {
  const answer = await bed.send(keyOf(operation), await call.well(bed));
  if (answer.status !== operation.status)
    return {
      faults: [`the status is to be ${operation.status}, not ${answer.status}: ${shortened(answer.body)}`],
      leftOut: [],
      extra: [],
    };
  return judgeBody(answer, parseShape(operation.reply), call);
}

function judgeError(operation: Operation, answer: Answer): string[] {
  const shape = errorShapeOf(operation, answer.status);
  const { faults } = judgeBody(answer, shape);
  // Whatever the group's shape is: every client reads this. One error is text alone.
  const isText = shape.kind === 'word' && typeof answer.body === 'string';
  const hasMessage = isText || (typeof answer.body?.message === 'string' && answer.body.message !== '');
  const all = new Set([...faults, ...(hasMessage ? [] : ['message is missing (text)'])]);
  return [...all].map((fault) => `of the error ${answer.status}, ${fault}`);
}

async function judgeWrong(bed: Bed, operation: Operation, call: Call): Promise<string[]> {
  const { status, ...request } = await call.wrong(bed);
  const answer = await bed.send(keyOf(operation), request);
  if (answer.status !== status)
    return [`a wrong call is to be refused with ${status}, not ${answer.status}: ${shortened(answer.body)}`];
  return judgeError(operation, answer);
}

/**
 * The answer to a call without a key, which changes nothing; undefined where the router says that there is nothing.
 */
async function answerWithoutKey(
  bed: Bed,
  { method, path }: Pick<Operation, 'method' | 'path'>,
): Promise<Answer | undefined> {
  const names = [...path.matchAll(/\{([\w-]+)\}/g)].map(([, name = '']) => [name, 'unknown-name']);
  const answer = await bed.send(`${method} ${path}`, { path: Object.fromEntries(names), isOpen: true });
  const target = path.replaceAll(/\{[\w-]+\}/g, 'unknown-name');
  const isUnknownPath = answer.status === 404 && answer.body?.message === `There is nothing at ${method} ${target}.`;
  // The path is another operation's: its answer names the methods that there are.
  const isUnknownMethod = answer.status === 405 && !answer.headers.get('allow')?.split(', ').includes(method);
  return isUnknownPath || isUnknownMethod ? undefined : answer;
}

async function judge(bed: Bed, operation: Operation, known: ReadonlyMap<string, Set<string>>): Promise<Verdict> {
  const verdict: Verdict = {
    operation,
    state: 'not yet',
    faults: [],
    waitsFor: [],
    leftOut: [],
    extra: [],
    notTaken: [],
  };
  const refusal = await answerWithoutKey(bed, operation);
  if (!refusal) return verdict;
  const call = CALLS[keyOf(operation)];
  if (!call) return { ...verdict, state: 'wrong', faults: ['it stands, and test/conformance/calls does not call it'] };
  const waitsFor = await missingOf(bed, call);
  try {
    const unseen: Judged = { faults: [], leftOut: [], extra: [] };
    const { faults, leftOut, extra } = waitsFor.length ? unseen : await judgeWell(bed, operation, call);
    const ofRefusal = refusal.status === 401 ? judgeError(operation, refusal) : [];
    const all = [...new Set([...faults, ...(await judgeWrong(bed, operation, call)), ...ofRefusal])];
    const state = all.length ? 'wrong' : waitsFor.length ? 'not yet' : 'right';
    const taken = known.get(pathPatternOf(operation)) ?? new Set();
    const notTaken = parametersOf(operation)
      .filter(({ place }) => place === 'query' || place === 'body')
      .flatMap(({ names }) => names.filter((name) => !taken.has(name) && !isExample(name)));
    return { operation, state, faults: all, waitsFor, leftOut, extra, notTaken };
  } catch (error) {
    return { ...verdict, state: 'wrong', faults: [`it could not be called: ${(error as Error).message}`] };
  }
}

/** What the good call needs, and does not stand. */
async function missingOf(bed: Bed, { needs = [] }: Call): Promise<string[]> {
  const missing: string[] = [];
  for (const key of needs) {
    const [method = '', path = ''] = key.split(' ');
    if (!(await answerWithoutKey(bed, { method, path }))) missing.push(key);
  }
  return missing;
}

/** `h:X-My-Header` is an example of all names that begin with `h:`, which no schema lists. */
const isExample = (name: string): boolean => /^[hv]:/.test(name);

/** Names in braces differ between documents. */
const pathPatternOf = ({ method, path }: Pick<Operation, 'method' | 'path'>): string =>
  `${method} ${path.replaceAll(/\{[\w-]+\}/g, '{}')}`;

/** Names of the query and body parameters of each operation, as the service's own document has them. */
async function documentedParameters(bed: Bed): Promise<Map<string, Set<string>>> {
  const document = await bed.get('GET /openapi.json');
  const schemaOf = (schema: any): any =>
    schema?.$ref ? schemaOf(document.components.schemas[schema.$ref.split('/').at(-1)]) : schema;
  const namesOf = (schema: any): string[] => {
    const resolved = schemaOf(schema) ?? {};
    const parts = [...(resolved.allOf ?? []), ...(resolved.anyOf ?? []), ...(resolved.oneOf ?? [])];
    return [...Object.keys(resolved.properties ?? {}), ...parts.flatMap(namesOf)];
  };
  const found = new Map<string, Set<string>>();
  for (const [path, methods] of Object.entries<any>(document.paths))
    for (const [method, operation] of Object.entries<any>(methods)) {
      const parameters = (operation.parameters ?? []).map(({ name }: { name: string }) => name);
      const bodies = Object.values<any>(operation.requestBody?.content ?? {}).flatMap(({ schema }) => namesOf(schema));
      found.set(pathPatternOf({ method: method.toUpperCase(), path }), new Set([...parameters, ...bodies]));
    }
  return found;
}

/** Walks both lists, one operation after the other. */
export async function walk(bed: Bed): Promise<ListVerdict[]> {
  const known = await documentedParameters(bed);
  const lists: ListVerdict[] = [];
  for (const { title, operations } of LISTS) {
    const verdicts: Verdict[] = [];
    for (const operation of operations) verdicts.push(await judge(bed, operation, known));
    lists.push({ title, verdicts });
  }
  return lists;
}
