// The language of a text, by the small words that every sentence of it needs.
export const LANGUAGES = {
  en: 'English',
  de: 'German',
  fr: 'French',
  es: 'Spanish',
  it: 'Italian',
  pt: 'Portuguese',
  nl: 'Dutch',
} as const;

/** Languages for which rules contain words. */
export type Language = keyof typeof LANGUAGES;

/** Words that stand in nearly every text of one language and seldom in the others. */
const SMALL_WORDS: Record<Language, string> = {
  en: 'the and you your our are this that with from have will not for was been which please or can we be of to if by',
  de:
    'der die das und sie ihr ihre ihren ihnen nicht ist ein eine einen wir mit auf für von den dem zu im bei sich ' +
    'auch oder werden haben wurde diese dieser bitte können noch nach über',
  fr:
    'le les des vous votre vos nous est pour dans sur une avec pas qui cette du au aux sont par ce ' +
    'plus être avez notre ou mais',
  es:
    'el los las su sus una para con por que usted nuestra nuestro está este esta como del ' +
    'más tu ha sido puede son al haga',
  it:
    'il gli della delle del che per con una suo sua sono questo questa nel alla non più è hai tuo tua dal ' +
    'di si nostro nostra ai le',
  pt:
    'o os as seu sua você para com não uma um por que dos das está este esta nosso nossa foi mais ao no na em sem ' +
    'caso sua pelo pela do da',
  nl:
    'de het een en van voor uw je niet is op met dat zijn wij deze dit ook aan bij naar of worden kunt u om ' +
    'te wordt heeft hebben onze',
};

const WORDS = new Map<string, Language[]>();
for (const [language, words] of Object.entries(SMALL_WORDS) as [Language, string][])
  for (const word of words.split(' ')) WORDS.set(word, [...new Set([...(WORDS.get(word) ?? []), language])]);

const CHARACTERS_READ = 20_000;
const WORDS_LEAST = 12;

/** Undefined where the text is too short to tell, or in none of the languages that rules know words of. */
export function languageOf(text: string): Language | undefined {
  const words =
    text
      .slice(0, CHARACTERS_READ)
      .toLowerCase()
      .match(/(?<!\p{L})\p{L}{1,12}(?!\p{L})/gu) ?? [];
  if (words.length < WORDS_LEAST) return undefined;
  const counts = new Map<Language, number>();
  for (const word of words) {
    const languages = WORDS.get(word) ?? [];
    for (const language of languages) counts.set(language, (counts.get(language) ?? 0) + 1 / languages.length);
  }
  const [first, second] = [...counts].toSorted((a, b) => b[1] - a[1]);
  if (!first || first[1] < Math.max(3, words.length * 0.08)) return undefined;
  return first[1] >= 1.3 * (second?.[1] ?? 0) ? first[0] : undefined;
}
