// In which order families of clients are shown.

/** The most used come first; the rest by name. */
const FAMILIES = ['Gmail', 'Outlook', 'Apple Mail', 'Yahoo', 'Samsung Email', 'Thunderbird'];

function rankOf(family: string): number {
  const place = FAMILIES.indexOf(family);
  return place < 0 ? FAMILIES.length : place;
}

/** Orders by family, and within it by name. */
export function byFamily(a: { family: string; name: string }, b: { family: string; name: string }): number {
  return (
    rankOf(a.family) - rankOf(b.family) ||
    a.family.localeCompare(b.family) ||
    a.name.localeCompare(b.name, 'en', { numeric: true })
  );
}
