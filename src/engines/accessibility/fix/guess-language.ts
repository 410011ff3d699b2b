// Which language a text is in, by its script or by its commonest words.

/** Words that are frequent in one language and rare in the others. */
const STOP_WORDS: Readonly<Record<string, string>> = {
  en: 'the and you your for with this that our are have from will not was can all we be is of to in on',
  de: 'der die das und sie ihr ihre für mit nicht ist ein eine wir auf den dem von zu im haben werden sich auch bei',
  fr: 'le la les des et vous votre vos pour avec est une nous dans sur pas que qui du au ce cette notre plus',
  es: 'el la los las y de que en un una para con su por tu usted es no nuestro más del al gracias',
  it: 'il lo la gli le e di che un una per con non è sono tuo nostro della del alla nel più grazie',
  pt: 'o a os as e de que em um uma para com não você seu sua do da no na mais obrigado nós são',
  nl: 'de het een en van je jij uw voor met niet is op dat wij onze bij zijn te aan ook deze bent',
  pl: 'i w na z do nie się jest że to dla przez od jak twoje twój oraz możesz są',
  sv: 'och att det som en är för med på din ditt dig av till inte vi du har kan den om',
  da: 'og at det som en er for med på din dit dig af til ikke vi du har kan den om eller',
  nb: 'og å det som en er for med på din ditt deg av til ikke vi du har kan den om eller hos',
  fi: 'ja on ei että se hän me te voit sinun kun mutta tai niin ovat olet',
  cs: 'a se na je že to pro s v jsme vaše nebo jak jsou vás máte by',
  tr: 've bir bu için ile de da siz sizin olarak çok daha ne en ya veya',
  ro: 'și de la cu pentru este în nu vă dumneavoastră ale sau mai din care sunt',
  hu: 'és a az egy hogy nem is meg van vagy már csak ön önnek ha',
};

/** What a letter of a script means when most letters are of it; Han alone is Chinese, Kana makes it Japanese. */
const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Hiragana}|\p{Script=Katakana}/gu, 'ja'],
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Han}/gu, 'zh'],
  [/\p{Script=Arabic}/gu, 'ar'],
  [/\p{Script=Hebrew}/gu, 'he'],
  [/\p{Script=Greek}/gu, 'el'],
  [/\p{Script=Thai}/gu, 'th'],
  [/\p{Script=Devanagari}/gu, 'hi'],
];

const TEXT_LENGTH_MAX = 20_000;
const HITS_MIN = 5;

/**
 * A language code, or undefined when the text is too short or its language unknown. Cyrillic languages are
 * distinguished by their letters.
 */
export function guessLanguage(text: string): string | undefined {
  const sample = text.slice(0, TEXT_LENGTH_MAX).toLowerCase();
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 10) return undefined;
  for (const [script, language] of SCRIPTS) {
    // A tenth is enough for Kana: Japanese is mostly written in Han.
    if ((sample.match(script)?.length ?? 0) > letters * (language === 'ja' ? 0.1 : 0.4)) return language;
  }
  const cyrillic = sample.match(/\p{Script=Cyrillic}/gu)?.length ?? 0;
  if (cyrillic > letters * 0.4) return /[іїєґ]/.test(sample) ? 'uk' : /[ыэё]/.test(sample) ? 'ru' : undefined;
  return byWords(sample);
}

const wordSets = new Map(Object.entries(STOP_WORDS).map(([language, words]) => [language, new Set(words.split(' '))]));

function byWords(sample: string): string | undefined {
  const hits = new Map<string, number>();
  for (const word of sample.match(/\p{L}+/gu) ?? []) {
    for (const [language, words] of wordSets) if (words.has(word)) hits.set(language, (hits.get(language) ?? 0) + 1);
  }
  const [best, second] = [...hits].sort((a, b) => b[1] - a[1]);
  if (!best || best[1] < HITS_MIN || best[1] === second?.[1]) return undefined;
  return best[0];
}

/** Written from right to left. */
const RIGHT_TO_LEFT = new Set(['ar', 'he', 'fa', 'ur', 'yi', 'ps', 'dv', 'sd', 'ug', 'ckb', 'iw']);

export function isRightToLeft(language: string): boolean {
  return RIGHT_TO_LEFT.has(language.toLowerCase().split('-')[0]!);
}
