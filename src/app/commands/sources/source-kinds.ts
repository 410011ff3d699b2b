/** By the ending of its name, what a source of emails is written in. */
export const SOURCE_KINDS: Readonly<Record<string, string>> = {
  '.tsx': 'React Email or JSX Email',
  '.jsx': 'React Email or JSX Email',
  '.mjml': 'MJML',
  '.vue': 'Maizzle',
  '.hbs': 'Handlebars',
  '.handlebars': 'Handlebars',
  '.liquid': 'Liquid',
  '.njk': 'Nunjucks',
  '.nunjucks': 'Nunjucks',
};
