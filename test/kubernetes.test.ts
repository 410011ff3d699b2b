// The manifests of deploy/kubernetes: valid by the schema of Kubernetes, with settings that Galley takes, and fitting
// each other. What finds them right is shown to find wrong ones wrong. No cluster runs them here.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { FREE_PORTS } from './harness/program.ts';
import { startApp } from './harness/start-app.ts';
import { requireTestPackage } from './harness/test-packages.ts';
import {
  environmentOf,
  faultsAcross,
  FOLDER,
  imageOf,
  readManifests,
  schemaFaults,
  type Manifest,
} from './kubernetes.fixture.ts';

const EXAMPLES = ['ingress.yaml', 'secret.example.yaml', 'work-autoscaler.yaml'];
const files = await readManifests();
const [kustomization] = files.get('kustomization.yaml')!;
const all = [...files].flatMap(([name, manifests]) => (name === 'kustomization.yaml' ? [] : manifests));
const image = await imageOf();
const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

/** The manifests with one of them changed. */
function withChange(name: string, change: (manifest: Manifest) => void): Manifest[] {
  const copies = structuredClone(all) as Manifest[];
  change(copies.find(({ kind, metadata }) => `${kind} ${metadata.name}` === name));
  return copies;
}

const containerOf = ({ spec }: Manifest): Manifest => spec.template.spec.containers[0];

/** Of a probe's command, which asks another address than its pod's own. */
async function exitCode([command, ...args]: string[], url: string): Promise<number> {
  assert.equal(command, 'node');
  const elsewhere = args.map((arg) => arg.replace('http://127.0.0.1:8400', url));
  const child = spawn(process.execPath, elsewhere, { stdio: 'ignore' });
  const [code] = (await once(child, 'close')) as [number];
  return code;
}

describe('deploy/kubernetes', () => {
  it('is valid by the schema of Kubernetes, field by field', () => {
    assert.ok(all.length >= 15, `only ${all.length} manifests were read`);
    assert.deepEqual(all.flatMap(schemaFaults), []);
  });

  it('fits together, and fits Galley and its image', () => assert.deepEqual(faultsAcross(all, image), []));

  it('has the processes of deploy/compose, with mail apart', () => {
    const processes = all
      .filter(({ spec }) => spec?.template)
      .map((one) => [one.kind, one.spec.replicas, environmentOf(one, all, image)['GALLEY_ROLES']]);
    assert.deepEqual(processes, [
      ['Deployment', 2, 'api'],
      ['StatefulSet', 2, 'mail'],
      ['StatefulSet', 2, 'send'],
      ['Deployment', 3, 'work,mail'],
    ]);
  });

  it('applies every file but the examples', () => {
    assert.deepEqual(Object.keys(kustomization).sort(), ['apiVersion', 'kind', 'namespace', 'resources']);
    const rest = [...files.keys()].filter((name) => name !== 'kustomization.yaml' && !EXAMPLES.includes(name));
    assert.deepEqual(kustomization.resources.toSorted(), rest);
    assert.equal(files.get('secret.example.yaml')![0].metadata.namespace, kustomization.namespace);
  });

  it('is what kubectl reads', { skip: hasKubectl ? undefined : 'kubectl is not installed' }, () => {
    const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', FOLDER], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const built = requireTestPackage('js-yaml').loadAll(stdout) as Manifest[];
    assert.deepEqual(built.flatMap(schemaFaults), []);
    assert.deepEqual([...new Set(built.map(({ metadata }) => metadata.namespace))], ['galley']);
  });

  for (const role of ['api', 'send'])
    it(`asks a process with the role ${role} for what it answers`, async () => {
      const app = await startApp({ ...FREE_PORTS, GALLEY_ROLES: role });
      try {
        const workload = all.find((one) => one.spec?.template && one.metadata.name === `galley-${role}`);
        const { readinessProbe, livenessProbe } = containerOf(workload);
        assert.equal((await fetch(app.url + readinessProbe.httpGet.path)).status, 200);
        const askingAt = (url: string): Promise<number> => exitCode(livenessProbe.exec.command, url);
        assert.deepEqual([await askingAt(app.url), await askingAt('http://127.0.0.1:1')], [0, 1]);
      } finally {
        await app.close();
      }
    });
});

describe('a wrong manifest', () => {
  const wrongBySchema: [string, (manifest: Manifest) => void, RegExp][] = [
    ['Deployment galley-api', ({ spec }) => (spec.replica = 2), /additional properties/],
    ['Deployment galley-api', ({ spec }) => (spec.replicas = 'two'), /spec\/replicas must be/],
    ['Deployment galley-work', (one) => (containerOf(one).readinessProbe.httpget = {}), /additional properties/],
    ['StatefulSet galley-send', ({ spec }) => delete spec.selector, /required properties selector/],
    ['Service galley-mail', ({ spec }) => (spec.ports[0].port = '25'), /ports\/0\/port must be/],
    ['Deployment galley-api', (one) => (one.apiVersion = 'apps/v1beta1'), /apps\/v1beta1 has no such kind/],
    ['Ingress galley', ({ spec }) => delete spec.rules[0].http.paths[0].pathType, /required properties pathType/],
  ];
  for (const [name, change, fault] of wrongBySchema)
    it(`is found by the schema: ${name}, ${fault.source}`, () =>
      assert.match(withChange(name, change).flatMap(schemaFaults).join('\n'), fault));

  const env = (manifest: Manifest, name: string, value: string): unknown =>
    containerOf(manifest).env.push({ name, value });
  const wrongTogether: [string, (manifest: Manifest) => void, RegExp][] = [
    ['Deployment galley-api', (one) => env(one, 'GALLEY_WORKERS', '2'), /GALLEY_WORKERS is not a setting of Galley/],
    ['ConfigMap galley-settings', ({ data }) => (data.GALLEY_DRAIN_SECONDS = 'long'), /GALLEY_DRAIN_SECONDS is "long"/],
    ['ConfigMap galley-settings', ({ data }) => (data.GALLEY_DRAIN_SECONDS = '60'), /too short for GALLEY_DRAIN/],
    ['ConfigMap galley-settings', ({ data }) => (data.GALLEY_DATA_DIR = '/data'), /GALLEY_DATA_DIR is not in its/],
    ['ConfigMap galley-settings', ({ data }) => (data.GALLEY_DATABASE_CONNECTIONS = '16'), /open 192 connections/],
    ['Secret galley-secrets', ({ stringData }) => delete stringData.GALLEY_DATABASE_URL, /shares no database/],
    ['Service galley-api', ({ spec }) => (spec.selector['app.kubernetes.io/component'] = 'web'), /its selector/],
    ['PodDisruptionBudget galley-send', ({ spec }) => (spec.selector.matchLabels = {}), /its selector/],
    ['Service galley-mail', ({ spec }) => (spec.ports[0].targetPort = 'mail'), /mail is no port of its pods/],
    ['Deployment galley-work', (one) => (containerOf(one).ports[0].containerPort = 80), /its ports are/],
    ['Deployment galley-work', (one) => (containerOf(one).readinessProbe.httpGet.port = 80), /readinessProbe asks/],
    ['Deployment galley-work', (one) => (containerOf(one).image = 'galley:latest'), /image is galley:latest/],
    ['Deployment galley-api', ({ spec }) => (spec.template.spec.enableServiceLinks = true), /enableServiceLinks is/],
    ['Deployment galley-api', (one) => delete containerOf(one).securityContext, /readOnlyRootFilesystem is undefined/],
    ['Deployment galley-api', (one) => containerOf(one).volumeMounts.pop(), /volumeMounts is/],
    ['StatefulSet galley-send', ({ spec }) => (spec.serviceName = 'send'), /there is no Service send/],
    ['StatefulSet galley-send', ({ spec }) => delete spec.volumeClaimTemplates, /its data goes with the pod/],
    ['Ingress galley', ({ spec }) => (spec.rules[0].http.paths[0].backend.service.port.name = 'web'), /no port web/],
    [
      'HorizontalPodAutoscaler galley-work',
      ({ spec }) => (spec.scaleTargetRef.name = 'galley-render'),
      /there is no Deployment galley-render/,
    ],
  ];
  for (const [name, change, fault] of wrongTogether)
    it(`does not fit: ${name}, ${fault.source}`, () =>
      assert.match(faultsAcross(withChange(name, change), image).join('\n'), fault));
});
