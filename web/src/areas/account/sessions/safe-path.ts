/** Only pages of the dashboard are returned to. */
export function safePath(from: string | undefined): string {
  return from !== undefined && /^\/(?![/\\]).+/.test(from) ? from : '/';
}
