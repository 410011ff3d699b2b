// Writes a file of places in the format of MaxMind DB, for addresses of IPv4.
// https://maxmind.github.io/MaxMind-DB/, version 2.0

type Value = string | number | readonly Value[] | { readonly [name: string]: Value };
/** A branch for each bit; a number is the place of an entry. */
interface Node {
  branches: [Node | number | undefined, Node | number | undefined];
  index: number;
}

const MARKER = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')]);
const [TEXT, NUMBER, MAP, LIST] = [2, 6, 7, 11];

/** The size stands in the first byte, or in the one after it. */
function control(type: number, size: number): Buffer {
  const [short, more] = size < 29 ? [size, []] : [29, [size - 29]];
  return Buffer.from(type > 7 ? [short, type - 7, ...more] : [(type << 5) | short, ...more]);
}

function encoded(value: Value): Buffer {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([control(TEXT!, bytes.length), bytes]);
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([control(NUMBER!, 4), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([control(LIST!, value.length), ...value.map(encoded)]);
  const fields = Object.entries(value as Record<string, Value>);
  return Buffer.concat([
    control(MAP!, fields.length),
    ...fields.flatMap(([name, one]) => [encoded(name), encoded(one)]),
  ]);
}

/** `ranges`: what is known of each, such as `192.0.2.0/24`; none lies in another. */
export function placesFile(ranges: Readonly<Record<string, Value>>, builtAt: Date): Buffer {
  const nodes: Node[] = [];
  const addNode = (): Node => {
    const node: Node = { branches: [undefined, undefined], index: nodes.length };
    nodes.push(node);
    return node;
  };
  const root = addNode();
  const entries: Buffer[] = [];
  let size = 0;
  for (const [range, value] of Object.entries(ranges)) {
    const [address = '', length = '32'] = range.split('/');
    const bits = address.split('.').flatMap((part) => [...Number(part).toString(2).padStart(8, '0')].map(Number));
    const path = bits.slice(0, Number(length)) as (0 | 1)[];
    let node = root;
    for (const bit of path.slice(0, -1)) node = (node.branches[bit] ??= addNode()) as Node;
    node.branches[path.at(-1)!] = size;
    const entry = encoded(value);
    entries.push(entry);
    size += entry.length;
  }
  const count = nodes.length;
  const tree = Buffer.alloc(count * 8);
  for (const { branches, index } of nodes)
    branches.forEach((branch, side) => {
      const record = branch === undefined ? count : typeof branch === 'number' ? count + 16 + branch : branch.index;
      tree.writeUInt32BE(record, index * 8 + side * 4);
    });
  const metadata = encoded({
    node_count: count,
    record_size: 32,
    ip_version: 4,
    database_type: 'Test-Places',
    languages: ['en'],
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: Math.floor(builtAt.getTime() / 1000),
    description: { en: 'For tests' },
  });
  return Buffer.concat([tree, Buffer.alloc(16), ...entries, MARKER, metadata]);
}
