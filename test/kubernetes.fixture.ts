// The manifests of deploy/kubernetes: read, held against the schema of Kubernetes, and against each other.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Compile } from 'typebox/schema';
import { readConfig, type Config } from '../src/platform/config/index.ts';
import { requireTestPackage } from './harness/test-packages.ts';

const ROOT = join(import.meta.dirname, '..');
export const FOLDER = join(ROOT, 'deploy/kubernetes');
/** Connections that PostgreSQL has for ordinary users by default: 100 without the three that it reserves. */
const CONNECTIONS_MAX = 97;
/** Steps of a stop that each wait as long as GALLEY_DRAIN_SECONDS says, at most. */
const DRAINING_STEPS = 4;

/** A manifest, as its file has it. */
export type Manifest = any;

const { kinds, $defs } = JSON.parse(
  await readFile(join(import.meta.dirname, 'fixtures/kubernetes/schema.json'), 'utf8'),
) as { kinds: Record<string, { apiVersion: string; model: string }>; $defs: Record<string, object> };

const validators = new Map(
  Object.entries(kinds).map(([kind, { model }]) => [kind, Compile({ $ref: `#/$defs/${model}`, $defs } as object)]),
);

export async function readManifests(): Promise<Map<string, Manifest[]>> {
  const { loadAll } = requireTestPackage('js-yaml');
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.yaml')).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(FOLDER, name), 'utf8')));
  return new Map(names.map((name, index) => [name, loadAll(texts[index]) as Manifest[]]));
}

const nameOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata?.name}`;

/** What the schema of Kubernetes has against a manifest. */
export function schemaFaults(manifest: Manifest): string[] {
  const known = kinds[manifest.kind];
  if (!known) return [`${manifest.kind} is a kind that the schema does not have.`];
  if (manifest.apiVersion !== known.apiVersion)
    return [`${nameOf(manifest)}: ${manifest.apiVersion} has no such kind.`];
  const [isValid, errors] = validators.get(manifest.kind)!.Errors(manifest);
  return isValid ? [] : errors.map(({ instancePath, message }) => `${nameOf(manifest)}${instancePath} ${message}`);
}

/** Of the image, as deploy/oci/build.sh makes it. */
interface Image {
  name: string;
  uid: number;
  volume: string;
  env: Record<string, string>;
}

export async function imageOf(): Promise<Image> {
  const [script, { version }] = await Promise.all([
    readFile(join(ROOT, 'deploy/oci/build.sh'), 'utf8'),
    readFile(join(ROOT, 'package.json'), 'utf8').then((text) => JSON.parse(text) as { version: string }),
  ]);
  const group = (pattern: RegExp): string => pattern.exec(script)![1]!;
  return {
    name: `${group(/buildah commit .* "(\w+):\$version"/)}:${version}`,
    uid: Number(group(/--user (\d+):/)),
    volume: group(/--volume (\S+)/),
    env: Object.fromEntries([...script.matchAll(/--env (GALLEY_\w+)=(\S+)/g)].map(([, key, value]) => [key, value])),
  };
}

const isWorkload = ({ kind }: Manifest): boolean => kind === 'Deployment' || kind === 'StatefulSet';
const podOf = (workload: Manifest): Manifest => workload.spec.template.spec;
const containerOf = (workload: Manifest): Manifest => podOf(workload).containers[0];

/** The settings of a container: those of the image, of the objects that it names, and its own. */
export function environmentOf(workload: Manifest, all: readonly Manifest[], image: Image): Record<string, string> {
  const { env = [], envFrom = [] } = containerOf(workload);
  const named = envFrom.map(({ configMapRef, secretRef }: Manifest) => {
    const [kind, name] = configMapRef ? ['ConfigMap', configMapRef.name] : ['Secret', secretRef.name];
    const found = all.find((one) => nameOf(one) === `${kind} ${name}`);
    if (!found) throw new Error(`${nameOf(workload)} names ${kind} ${name}, which there is not.`);
    return { ...found.data, ...found.stringData };
  });
  const own = Object.fromEntries(env.map(({ name, value }: Manifest) => [name, value]));
  return Object.assign({}, image.env, ...named, own) as Record<string, string>;
}

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** Ports that a process with these settings listens on, by the name that the manifests give them. */
function portsOf({ port, roles, smtp, submission }: Config): Record<string, number> {
  const isReached = roles.includes('mail') && !roles.includes('work');
  const mail = { smtp: smtp.port, submission: submission.port!, 'submission-tls': submission.tlsPort! };
  return { http: port, ...(isReached && mail) };
}

function probeFaults(workload: Manifest, ports: Record<string, number>): string[] {
  const { startupProbe, readinessProbe, livenessProbe } = containerOf(workload);
  const faults: string[] = [];
  for (const [what, probe] of Object.entries({ startupProbe, readinessProbe, livenessProbe }) as [string, Manifest][]) {
    const asked = probe?.httpGet ?? probe?.tcpSocket;
    const url = /fetch\('([^']+)'\)/.exec(probe?.exec?.command.join(' ') ?? '')?.[1];
    const port = url === undefined ? (ports[asked?.port] ?? asked?.port) : Number(new URL(url).port);
    if (port !== ports['http']) faults.push(`${nameOf(workload)}: ${what} asks port ${port}.`);
  }
  return faults;
}

/** What a pod has to close, as deploy/systemd does it. */
function closedFaults(workload: Manifest, image: Image): string[] {
  const pod = podOf(workload);
  const { securityContext: own, volumeMounts = [] } = containerOf(workload);
  const seccomp = workload.metadata.name === 'galley-work' ? 'Unconfined' : 'RuntimeDefault';
  const wanted: [unknown, unknown, string][] = [
    [containerOf(workload).image, image.name, 'image'],
    [pod.securityContext?.runAsNonRoot, true, 'runAsNonRoot'],
    [pod.securityContext?.runAsUser, image.uid, 'runAsUser'],
    [pod.securityContext?.fsGroup, image.uid, 'fsGroup'],
    [pod.securityContext?.seccompProfile?.type, seccomp, 'seccompProfile'],
    [own?.allowPrivilegeEscalation, false, 'allowPrivilegeEscalation'],
    [own?.readOnlyRootFilesystem, true, 'readOnlyRootFilesystem'],
    [own?.capabilities?.drop?.join(), 'ALL', 'capabilities'],
    [pod.automountServiceAccountToken, false, 'automountServiceAccountToken'],
    [pod.enableServiceLinks, false, 'enableServiceLinks'],
    [volumeMounts.map(({ mountPath }: Manifest) => mountPath).join(), `${image.volume},/tmp`, 'volumeMounts'],
  ];
  return wanted.flatMap(([is, should, what]) =>
    is === should ? [] : [`${nameOf(workload)}: ${what} is ${String(is)}, not ${String(should)}.`],
  );
}

function workloadFaults(workload: Manifest, all: readonly Manifest[], image: Image): string[] {
  const env = environmentOf(workload, all, image);
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    return [`${nameOf(workload)}: ${(error as Error).message}`];
  }
  const faults = [...closedFaults(workload, image)];
  const say = (what: string): number => faults.push(`${nameOf(workload)}: ${what}`);
  const ports = portsOf(config);
  const declared = Object.fromEntries(
    containerOf(workload).ports.map(({ name, containerPort }: Manifest) => [name, containerPort]),
  );
  if (JSON.stringify(declared) !== JSON.stringify(ports))
    say(`its ports are ${JSON.stringify(declared)}, not ${JSON.stringify(ports)}.`);
  faults.push(...probeFaults(workload, ports));
  if (podOf(workload).terminationGracePeriodSeconds <= (DRAINING_STEPS * config.drainMs) / 1000)
    say('terminationGracePeriodSeconds is too short for GALLEY_DRAIN_SECONDS.');
  if (!isWithin(config.dataDir, image.volume)) say('GALLEY_DATA_DIR is not in its volume.');
  if (config.databaseUrl === undefined || config.storageUrl === undefined) say('it shares no database or no objects.');
  const mounted = podOf(workload).volumes.map(({ name }: Manifest) => name);
  const claimed = (workload.spec.volumeClaimTemplates ?? []).map(({ metadata }: Manifest) => metadata.name);
  if ([...mounted, ...claimed].sort().join() !== 'data,tmp') say('its volumes are not data and tmp.');
  const keeps = config.roles.includes('send') || (config.roles.includes('mail') && !config.roles.includes('work'));
  if (keeps !== claimed.includes('data')) say(`its data ${keeps ? 'goes with the pod' : 'has a claim'}.`);
  return faults;
}

const labelsText = (labels: Record<string, string> | undefined): string =>
  Object.entries(labels ?? {})
    .map((entry) => entry.join('='))
    .sort()
    .join(',');

/** Selectors, and names by which one object names another. */
function referenceFaults(all: readonly Manifest[]): string[] {
  const faults: string[] = [];
  const workloads = all.filter(isWorkload);
  const has = (kind: string, name: string): boolean => all.some((one) => nameOf(one) === `${kind} ${name}`);
  for (const one of all) {
    const say = (what: string): number => faults.push(`${nameOf(one)}: ${what}`);
    const { spec } = one;
    const selector = one.kind === 'Service' ? spec.selector : spec?.selector?.matchLabels;
    const selected = workloads.filter(
      ({ spec: { template } }) => labelsText(template.metadata.labels) === labelsText(selector),
    );
    if (selector !== undefined && (selected.length !== 1 || selected[0].metadata.name !== one.metadata.name))
      say('its selector does not find the pods of its name.');
    if (one.kind === 'Service')
      for (const { targetPort } of spec.ports)
        if (!selected.some((workload) => containerOf(workload).ports.some(({ name }: Manifest) => name === targetPort)))
          say(`${targetPort} is no port of its pods.`);
    if (one.kind === 'StatefulSet' && !has('Service', spec.serviceName))
      say(`there is no Service ${spec.serviceName}.`);
    if (one.kind === 'HorizontalPodAutoscaler' && !has(spec.scaleTargetRef.kind, spec.scaleTargetRef.name))
      say(`there is no ${spec.scaleTargetRef.kind} ${spec.scaleTargetRef.name}.`);
    if (one.kind === 'Ingress')
      for (const { backend } of spec.rules.flatMap(({ http }: Manifest) => http.paths)) {
        const service = all.find((other) => nameOf(other) === `Service ${backend.service.name}`);
        if (!service?.spec.ports.some(({ name }: Manifest) => name === backend.service.port.name))
          say(`there is no port ${backend.service.port.name} of a Service ${backend.service.name}.`);
      }
  }
  return faults;
}

function connectionFaults(all: readonly Manifest[], image: Image): string[] {
  const counts = all.filter(isWorkload).map((workload) => {
    const scaler = all.find(
      ({ kind, spec }) => kind === 'HorizontalPodAutoscaler' && spec.scaleTargetRef.name === workload.metadata.name,
    );
    const each = Number(environmentOf(workload, all, image)['GALLEY_DATABASE_CONNECTIONS'] ?? Number.NaN);
    return each * (scaler?.spec.maxReplicas ?? workload.spec.replicas);
  });
  const sum = counts.reduce((one, other) => one + other, 0);
  return sum <= CONNECTIONS_MAX ? [] : [`All processes together open ${sum} connections to PostgreSQL.`];
}

/** What does not fit together in the manifests, or does not fit Galley. */
export function faultsAcross(all: readonly Manifest[], image: Image): string[] {
  const references = referenceFaults(all);
  const own = all.filter(isWorkload).flatMap((workload) => workloadFaults(workload, all, image));
  return [...references, ...own, ...connectionFaults(all, image)];
}
