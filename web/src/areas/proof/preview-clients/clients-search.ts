/** What the address of the catalog remembers. */
export function readClientsSearch({ q, made }: Record<string, unknown>): { q?: string; made?: string } {
  return {
    ...((typeof q === 'string' || typeof q === 'number') && { q: String(q) }),
    ...(typeof made === 'string' && { made }),
  };
}
