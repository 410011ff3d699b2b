// `npm run bench -- NAME`: each benchmark prints its figures beside a named baseline measured in the same run.
const BENCHES: Record<string, () => Promise<{ run: () => Promise<void> }>> = {
  accept: () => import('./accept.ts'),
  accessibility: () => import('./accessibility.ts'),
  api: () => import('./api.ts'),
  blocklists: () => import('./blocklists.ts'),
  clickhouse: () => import('./clickhouse.ts'),
  code: () => import('./code.ts'),
  crash: () => import('./crash.ts'),
  emails: () => import('./emails.ts'),
  emulation: () => import('./emulation.ts'),
  fairness: () => import('./fairness.ts'),
  images: () => import('./images.ts'),
  links: () => import('./links.ts'),
  outage: () => import('./outage.ts'),
  placement: () => import('./placement.ts'),
  'placement-crash': () => import('./placement-crash.ts'),
  logs: () => import('./logs.ts'),
  mail: () => import('./mail.ts'),
  metrics: () => import('./metrics.ts'),
  'previews-floor': () => import('./previews-floor.ts'),
  'previews-pixels': () => import('./previews-pixels.ts'),
  poison: () => import('./poison.ts'),
  previews: () => import('./previews.ts'),
  sending: () => import('./sending.ts'),
  'sending-crash': () => import('./sending-crash.ts'),
  'sending-processes': () => import('./sending-processes.ts'),
  thunderbird: () => import('./thunderbird.ts'),
  topology: () => import('./topology.ts'),
  tracking: () => import('./tracking.ts'),
  'warm-up': () => import('./warm-up.ts'),
};

const [name = ''] = process.argv.slice(2);
const load = BENCHES[name];
if (load) {
  await (await load()).run();
} else {
  console.error(`npm run bench -- ${Object.keys(BENCHES).join(' | ')}`);
  process.exitCode = 2;
}
