// What a sending program fills in later: the syntaxes of merge tags, known once for every check. Pure.
export {
  beginsWithMergeTag,
  findHalfTags,
  findMergeTags,
  hasMergeTag,
  mergeTagIn,
  RECIPIENT_VARIABLE,
  replaceMergeTags,
  TAGS_MAX,
} from './find-merge-tags.ts';
