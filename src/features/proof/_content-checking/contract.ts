/**
 * The checks of an email by the names that a request gives them, and below which path the results of each are found.
 */
export const CHECK_PATHS = {
  link_validation: '/v1/inspect/links',
  image_validation: '/v1/inspect/images',
  accessibility: '/v1/inspect/accessibility',
  code_analysis: '/v1/inspect/analyze',
} as const;

export type CheckName = keyof typeof CHECK_PATHS;

/** What became of one check: running or done under this id, not started for this reason, or not wanted. */
export type CheckRef = { id: string } | { error: string } | null;
export type ContentChecks = Partial<Record<CheckName, CheckRef>>;
