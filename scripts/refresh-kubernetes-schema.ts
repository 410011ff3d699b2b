// Writes the JSON Schema that test/kubernetes.test.ts holds deploy/kubernetes against, from the models that the
// official client of Kubernetes is generated with:
//   npm pack @kubernetes/client-node@2.0.1 && tar xzf kubernetes-client-node-2.0.1.tgz
//   node scripts/refresh-kubernetes-schema.ts package
// Types, required fields and the names of all fields are taken over; descriptions are not. Which values a text may have
// is only said in descriptions there, so that the schema does not know it.
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { compactJson } from './compact-json.ts';

interface Attribute {
  baseName: string;
  type: string;
  format: string;
}

/** The kinds of deploy/kubernetes: the version of the API that has them, and their model. */
const KINDS: Record<string, { apiVersion: string; model: string }> = {
  ConfigMap: { apiVersion: 'v1', model: 'V1ConfigMap' },
  Deployment: { apiVersion: 'apps/v1', model: 'V1Deployment' },
  HorizontalPodAutoscaler: { apiVersion: 'autoscaling/v2', model: 'V2HorizontalPodAutoscaler' },
  Ingress: { apiVersion: 'networking.k8s.io/v1', model: 'V1Ingress' },
  PodDisruptionBudget: { apiVersion: 'policy/v1', model: 'V1PodDisruptionBudget' },
  Secret: { apiVersion: 'v1', model: 'V1Secret' },
  Service: { apiVersion: 'v1', model: 'V1Service' },
  StatefulSet: { apiVersion: 'apps/v1', model: 'V1StatefulSet' },
};

const TARGET = join(import.meta.dirname, '../test/fixtures/kubernetes/schema.json');

const SIMPLE: Record<string, object> = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  Date: { type: 'string', format: 'date-time' },
  IntOrString: { type: ['integer', 'string'] },
  any: {},
};

/** The schema of a type as the client names it; `uses` gets the models that it names. */
function schemaOf({ type, format }: Pick<Attribute, 'type' | 'format'>, uses: (model: string) => void): object {
  const list = /^(?:Array|Set)<(.+)>$/.exec(type)?.[1];
  if (list !== undefined) return { type: 'array', items: schemaOf({ type: list, format }, uses) };
  const map = /^\{ \[key: string\]: (.+); \}$/.exec(type)?.[1];
  if (map !== undefined) return { type: 'object', additionalProperties: schemaOf({ type: map, format }, uses) };
  if (type === 'number') return { type: format.startsWith('int') ? 'integer' : 'number' };
  const simple = SIMPLE[type];
  if (simple) return simple;
  if (!/^V\d\w+$|^\w+V\d\w+$/.test(type)) throw new Error(`${type} is a type that this script does not know.`);
  uses(type);
  return { $ref: `#/$defs/${type}` };
}

async function definitionOf(models: string, model: string, uses: (model: string) => void): Promise<object> {
  const { [model]: found } = (await import(join(models, `${model}.js`))) as Record<
    string,
    { getAttributeTypeMap(): Attribute[] }
  >;
  const declared = await readFile(join(models, `${model}.d.ts`), 'utf8');
  const attributes = found!.getAttributeTypeMap();
  const required = attributes.map(({ baseName }) => baseName).filter((name) => declared.includes(`    '${name}': `));
  return {
    type: 'object',
    ...(required.length && { required }),
    properties: Object.fromEntries(attributes.map((attribute) => [attribute.baseName, schemaOf(attribute, uses)])),
    additionalProperties: false,
  };
}

const folder = process.argv[2];
if (folder === undefined) throw new Error('Name the folder of the unpacked package @kubernetes/client-node.');
const models = join(resolve(folder), 'dist/gen/models');
const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
const [, release] = /OpenAPI spec version: release-(\S+)/.exec(await readFile(join(models, 'V1Pod.js'), 'utf8')) ?? [];

const definitions: Record<string, object> = {};
const waiting = new Set(Object.values(KINDS).map(({ model }) => model));
for (const model of waiting)
  definitions[model] = await definitionOf(models, model, (used) => {
    waiting.add(used);
  });

const schema = {
  $comment:
    `The kinds of deploy/kubernetes as Kubernetes ${release} has them, made by scripts/refresh-kubernetes-schema.ts ` +
    `from the models of @kubernetes/client-node ${version}, which are generated from Kubernetes' OpenAPI document. ` +
    'Copyright The Kubernetes Authors, Apache License 2.0.',
  kinds: KINDS,
  $defs: Object.fromEntries(Object.entries(definitions).sort(([one], [other]) => one.localeCompare(other))),
};
await writeFile(TARGET, `${compactJson(schema)}\n`);
console.log(`${Object.keys(definitions).length} definitions of Kubernetes ${release} are written.`);
