// Words that rules look for, in the languages that most marketing email is written in.

/** Link texts that don't say where the link leads. Lower case, without punctuation. */
export const GENERIC_LINK_TEXTS: ReadonlySet<string> = new Set([
  // English
  'click here', 'click', 'here', 'tap here', 'this', 'link', 'this link', 'this page', 'more', 'read more', 'learn more', 'see more', 'find out more', 'show more',
  'view more', 'more info', 'more information', 'details', 'view details', 'go', 'continue', 'read', 'open', 'button', 'start', 'check it out', 'click this link', 'click for more', 'discover more', 'view',
  // German
  'hier', 'klicken sie hier', 'hier klicken', 'klick hier', 'mehr', 'mehr lesen', 'mehr erfahren', 'weiterlesen', 'weiter', 'mehr dazu', 'mehr infos', 'mehr informationen', 'zum artikel', 'jetzt ansehen', 'mehr anzeigen',
  // French
  'ici', 'cliquez ici', 'cliquer ici', 'en savoir plus', 'lire la suite', 'lire plus', 'voir plus', 'plus', 'suite', 'plus d’infos', "plus d'infos", 'découvrir', 'voir', 'je découvre',
  // Spanish
  'aquí', 'haz clic aquí', 'haga clic aquí', 'clic aquí', 'más', 'leer más', 'ver más', 'saber más', 'más información', 'descubre más', 'seguir leyendo',
  // Italian
  'qui', 'clicca qui', 'leggi di più', 'leggi tutto', 'scopri di più', 'scopri', 'altro', 'maggiori informazioni', 'continua a leggere',
  // Portuguese
  'aqui', 'clique aqui', 'leia mais', 'saiba mais', 'ver mais', 'mais', 'mais informações', 'confira',
  // Dutch
  'klik hier', 'lees meer', 'meer', 'meer info', 'meer informatie', 'bekijk', 'lees verder', 'ontdek meer',
  // Polish, Swedish, Danish
  'kliknij tutaj', 'tutaj', 'więcej', 'czytaj więcej', 'dowiedz się więcej', 'klicka här', 'här', 'läs mer', 'mer', 'klik her', 'læs mere', 'mere', 'se mere',
]);

/** Titles that editors and templates put in. */
export const PLACEHOLDER_TITLES: ReadonlySet<string> = new Set([
  'untitled', 'untitled document', 'document', 'title', 'email', 'email template', 'e-mail', 'newsletter', 'template', 'html email', 'html email template', 'new email', 'message', 'no title', 'responsive email template', 'home', 'index', 'test', 'page title', 'neue nachricht', 'unbenanntes dokument', 'document sans titre', 'sin título',
]);
