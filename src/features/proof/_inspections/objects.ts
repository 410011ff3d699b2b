/** Everything of an inspection lies below this. */
export function objectsOf(id: string): string {
  return `inspections/${id}`;
}

export function inputKey(id: string, version: number): string {
  return `${objectsOf(id)}/input-${version}.json`;
}
