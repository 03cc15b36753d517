// Letters that look like Latin ones and are none: whoever reads "раypal" reads a name that is not there. Texts in another
// alphabet stay as they are. So a letter counts only where it pretends to be Latin: within a Latin word, or in a text that
// has Latin letters and none of that alphabet which looks like no Latin one. The terminal keeps to the same rule
// (crates/model/src/look_alikes.rs); tests/corpus/look-alikes.json is the test of both.

interface Alphabet {
  all: RegExp;
  alike: RegExp;
}

/** Alphabets that have look-alikes, each with these; `u` flags of all. Wide, bold and other drawn letters count as one more. */
const ALPHABETS: readonly Alphabet[] = [
  { all: /[\u0370-\u03ff\u1f00-\u1fff]/u, alike: /[ΑΒΕΖΗΙΚΜΝΟΡΤΥΧικνορυϲϳ]/u },
  { all: /[\u0400-\u052f]/u, alike: /[АВЕЅІЈКМНОРСТУХҮԌԚԜаеѕіјорсухһԁԛԝѵүӏ]/u },
  { all: /[\u0531-\u0587]/u, alike: /[ՍՏՕհոսցօ]/u },
  { all: /[\u13a0-\u13ff\uab70-\uabbf]/u, alike: /[ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᎽᏀᏃᏂᏎᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧ]/u },
  { all: /[\uff21-\uff3a\uff41-\uff5a\u{1d400}-\u{1d7ff}]/u, alike: /[\uff21-\uff3a\uff41-\uff5a\u{1d400}-\u{1d7ff}]/u },
];

/** Marks that stand for a slash, a full stop or a colon of an address. */
const MARKS = /[\u2024\u2215\u2236\u29f8\ua789]|(?<!\d)\u2044|\u2044(?!\d)/gu;
const LATIN = /[a-zA-Z]/;
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
/** Nearly no text has any: one look says so. */
const ANY = /[\u0370-\u03ff\u1f00-\u1fff\u0400-\u052f\u0531-\u0587\u13a0-\u13ff\u2024\u2044\u2215\u2236\u29f8\ua789\uab70-\uabbf\uff21-\uff5a\u{1d400}-\u{1d7ff}]/u;

/** Where a text has characters that pass for others: their places in it, in order (UTF-16 units). */
export function lookAlikes(text: string): number[] {
  if (!ANY.test(text)) return [];
  const places = [...text.matchAll(MARKS)].map((mark) => mark.index);
  if (LATIN.test(text)) {
    const pretends = ALPHABETS.map((alphabet) => !isWritten(text, alphabet));
    for (const word of text.matchAll(WORDS)) {
      const mixed = LATIN.test(word[0]);
      let at = word.index;
      for (const char of word[0]) {
        if (ALPHABETS.some(({ alike }, nth) => (mixed || pretends[nth]) && alike.test(char))) places.push(at);
        at += char.length;
      }
    }
  }
  return places.sort((one, other) => one - other);
}

/** Whether a text has letters of an alphabet that look like no Latin ones. */
function isWritten(text: string, { all, alike }: Alphabet): boolean {
  for (const char of text) if (all.test(char) && !alike.test(char)) return true;
  return false;
}
