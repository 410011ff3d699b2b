const LINE_LENGTH = 120;

/**
 * JSON with as much on a line as fits: short, and still one change a line. An example of the OpenAPI document is one
 * line: indented as deep as it stands there, it would be a third longer.
 */
export function compactJson(value: unknown, lineLength = LINE_LENGTH, indent = ''): string {
  const line = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= lineLength) return line;
  const inner = `${indent} `;
  const partOf = (item: unknown): string => compactJson(item, lineLength, inner);
  const entries = Array.isArray(value)
    ? value.map((item) => inner + partOf(item))
    : Object.entries(value).map(
        ([name, item]) =>
          `${inner}${JSON.stringify(name)}: ${name === 'example' ? JSON.stringify(item) : partOf(item)}`,
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${entries.join(',\n')}\n${indent}${close}`;
}
