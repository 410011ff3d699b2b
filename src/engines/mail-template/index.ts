// Variables in messages: `{{name}}` of templates, `%recipient.name%` of one recipient. Pure and bounded.
export { fillEmail, type EmailToFill, type FilledEmail } from './fill-email.ts';
export { fillMergeTags, mergeDataFault, type FilledTags, type MergeData } from './merge-data.ts';
export { renderTemplate, type Rendered, type TemplateFault, type TemplateLimits } from './render-template.ts';
export { fillRecipientVariables, recipientVariablesIn, type RecipientVariables } from './recipient-variables.ts';
