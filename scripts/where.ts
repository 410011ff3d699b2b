// `npm run where -- /v2/preview/tests/abc`: which feature answers a path.
import { FEATURES } from '../src/app/features.ts';
import { folderOf } from './feature-folder.ts';

const [path = '', method] = process.argv.slice(2);
const found = FEATURES.flatMap((feature) => feature.endpoints.map(({ contract }) => ({ feature, contract }))).filter(
  ({ contract }) =>
    (!method || contract.method === method.toUpperCase()) &&
    new RegExp(`^${contract.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
);
for (const { feature, contract } of found)
  console.log(`${contract.method} ${contract.path} → ${folderOf(feature.name)}/contract.ts: ${contract.summary}`);
if (!found.length) {
  console.error(`Nothing answers ${path}.`);
  process.exitCode = 1;
}
