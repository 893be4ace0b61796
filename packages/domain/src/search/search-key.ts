/**
 * Characters people write for an apostrophe, or leave out: straight, curly, standalone accents, and transcription
 * letters.
 */
const apostrophes = /['‘’‛′`´ʹʻʼʽʾʿ＇]/g

/**
 * A text as searches compare it, without case, accents and apostrophes: Ma’ruf, Ma'ruf and Maruf are equal, and so are
 * José and Jose. `search_key` in the database gives the same for stored texts.
 */
export const searchKeyOf = (text: string) =>
  text
    .replace(apostrophes, '')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
