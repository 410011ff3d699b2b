/** The areas of features, and of the dashboard's pages; each may use those before it. */
export const AREAS: readonly string[] = ['account', 'proof', 'send', 'placement', 'monitor', 'work'];
