// Blocklists as pure knowledge: which there are, under which names they are asked, what their answers mean.
export { listsOf, type AssetKind, type Blocklist, type OwnList } from './lists.ts';
export { isOnList, readAnswer, readFailure, type Code, type Verdict } from './answers.ts';
export { namesFor, readDomain, readEmail, readIp, testNames, type Asset } from './names.ts';
