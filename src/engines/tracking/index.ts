// Links that are counted when they are followed, and who follows them; pure.
export { clientInfoOf, type ClientInfo } from './client-info.ts';
export { LINK_TOKEN_LENGTH_MAX, openLink, sealLink } from './link-token.ts';
