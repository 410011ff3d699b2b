// Character maps (OpenType 1.9 "cmap"): read formats 4 and 12, write format 12.

const WINDOWS = 3;
const UNICODE = 0;

function subtableOffset(table: Buffer): number | undefined {
  const ranked: { rank: number; offset: number }[] = [];
  for (let index = 0; index < table.readUInt16BE(2); index += 1) {
    const entry = 4 + index * 8;
    const [platform, encoding] = [table.readUInt16BE(entry), table.readUInt16BE(entry + 2)];
    const offset = table.readUInt32BE(entry + 4);
    const format = table.readUInt16BE(offset);
    if (platform !== UNICODE && !(platform === WINDOWS && (encoding === 1 || encoding === 10))) continue;
    if (format === 12) ranked.push({ rank: 2, offset });
    if (format === 4) ranked.push({ rank: 1, offset });
  }
  return ranked.sort((a, b) => b.rank - a.rank)[0]?.offset;
}

/** Code point → glyph index. Throws `RangeError` when the table has no Unicode map of format 4 or 12. */
export function readCmap(table: Buffer): Map<number, number> {
  const offset = subtableOffset(table);
  if (offset === undefined) throw new RangeError('The font has no Unicode character map.');
  const map = new Map<number, number>();
  if (table.readUInt16BE(offset) === 12) {
    for (let index = 0; index < table.readUInt32BE(offset + 12); index += 1) {
      const group = offset + 16 + index * 12;
      const first = table.readUInt32BE(group);
      const glyph = table.readUInt32BE(group + 8);
      for (let code = first; code <= table.readUInt32BE(group + 4); code += 1) map.set(code, glyph + code - first);
    }
    return map;
  }
  const segments = table.readUInt16BE(offset + 6) / 2;
  const ends = offset + 14;
  const starts = ends + segments * 2 + 2;
  const deltas = starts + segments * 2;
  const ranges = deltas + segments * 2;
  for (let index = 0; index < segments; index += 1) {
    const start = table.readUInt16BE(starts + index * 2);
    const end = Math.min(table.readUInt16BE(ends + index * 2), 0xfffe);
    const delta = table.readUInt16BE(deltas + index * 2);
    const range = table.readUInt16BE(ranges + index * 2);
    for (let code = start; code <= end; code += 1) {
      const listed = range === 0 ? code : table.readUInt16BE(ranges + index * 2 + range + (code - start) * 2);
      const glyph = listed === 0 && range !== 0 ? 0 : (listed + delta) & 0xffff;
      if (glyph !== 0) map.set(code, glyph);
    }
  }
  return map;
}

/** A table with one format 12 map, which FreeType and HarfBuzz take for every plane. */
export function writeCmap(map: ReadonlyMap<number, number>): Buffer {
  const groups: [number, number, number][] = [];
  for (const [code, glyph] of [...map].sort(([a], [b]) => a - b)) {
    const last = groups.at(-1);
    if (last !== undefined && code === last[1] + 1 && glyph === last[2] + code - last[0]) last[1] = code;
    else groups.push([code, code, glyph]);
  }
  const body = Buffer.alloc(16 + groups.length * 12);
  body.writeUInt16BE(12, 0);
  body.writeUInt32BE(body.length, 4);
  body.writeUInt32BE(groups.length, 12);
  for (const [index, group] of groups.entries())
    group.forEach((value, field) => body.writeUInt32BE(value, 16 + index * 12 + field * 4));
  const header = Buffer.alloc(20);
  header.writeUInt16BE(2, 2);
  for (const [index, [platform, encoding]] of [
    [UNICODE, 4],
    [WINDOWS, 10],
  ].entries()) {
    header.writeUInt16BE(platform!, 4 + index * 8);
    header.writeUInt16BE(encoding!, 6 + index * 8);
    header.writeUInt32BE(header.length, 8 + index * 8);
  }
  return Buffer.concat([header, body]);
}
