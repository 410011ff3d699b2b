/** Everything of an inspection lies below this. */
export function objectsOf(id: string): string {
  return `inspections/${id}`;
}
