// Variables in messages: `{{name}}` of templates, `%recipient.name%` of one recipient. Pure and bounded.
export { fillEmail } from './fill-email.ts';
export { fillMergeTags, mergeDataFault, type MergeData } from './merge-data.ts';
export { fillRecipientVariables, lookUp, recipientVariablesIn } from './recipient-variables.ts';
export { renderTemplate, templateFaultIn, type TemplateFault } from './render-template.ts';
