/** Says something to people who listen to the page instead of seeing it. */
export function announce(text: string): void {
  const place = document.getElementById('announcements');
  if (place) place.textContent = text;
}
