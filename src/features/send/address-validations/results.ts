// The results of a list as a file, written as it is read.
import type { Outside } from '../../../platform/feature/index.ts';
import { CSV_MARK, csvLine } from '../../../platform/spreadsheets/index.ts';
import { listResults, type ResultRow } from './store.ts';

const PARTS_AT_ONCE = 10;

async function* rowsOf({ db }: Pick<Outside, 'db'>, validationId: string): AsyncGenerator<ResultRow[]> {
  for (let after = -1; ;) {
    const parts = await listResults(db, validationId, { after, limit: PARTS_AT_ONCE });
    const last = parts.at(-1);
    if (!last) return;
    yield parts.flatMap(({ results }) => results ?? []);
    after = last.place;
  }
}

const COLUMNS = [
  'address',
  'result',
  'risk',
  'reason',
  'did_you_mean',
  'root_address',
  'is_disposable_address',
  'is_role_address',
  'engagement',
  'probed_at',
] as const;

function lineOf(row: ResultRow): string {
  const { reason, engagement, is_disposable_address: isDisposable, is_role_address: isRole } = row;
  return csvLine(
    [
      row.address,
      row.result,
      row.risk,
      reason.join(' '),
      row.did_you_mean,
      row.root_address,
      String(isDisposable),
      String(isRole),
      engagement?.engagement ?? null,
      row.probed_at ?? null,
    ],
    'comma',
  );
}

export async function* csvOf(doors: Pick<Outside, 'db'>, validationId: string): AsyncGenerator<string> {
  yield CSV_MARK + csvLine(COLUMNS, 'comma');
  for await (const rows of rowsOf(doors, validationId)) yield rows.map(lineOf).join('');
}

export async function* jsonOf(doors: Pick<Outside, 'db'>, validationId: string): AsyncGenerator<string> {
  let before = '[\n';
  for await (const rows of rowsOf(doors, validationId)) {
    if (rows.length === 0) continue;
    yield before + rows.map((row) => JSON.stringify(row)).join(',\n');
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}
