import { z } from 'zod'

/** Invisible characters: control characters, soft hyphens, empty fillers, and marks that change text direction. */
const unseen =
  /(?![\t\n\r])[\p{Cc}\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0]/gu

/** Joiners (ZWNJ, ZWJ) shape Arabic and Indic letters and join emoji; after other characters they are invisible too. */
const needlessJoiners =
  /(^|[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}\p{P}\p{Z}\s]\p{M}*)[\u200c\u200d]+|[\u200c\u200d]+$/gu

/** Composes letters and accents (NFC) and removes invisible characters, so that texts that look the same are equal. */
export const cleanText = (text: string) =>
  text
    .replace(unseen, '')
    .normalize('NFC')
    .replace(needlessJoiners, (_, before = '') => before)

/** `cleanText` for names and other single lines. */
export const cleanLine = (text: string) => cleanText(text).replace(/\s+/g, ' ').trim()

/** A text in a form. */
export const typedText = () => z.string().overwrite(cleanText).trim()

/** A text of one line in a form or filter. */
export const typedLine = () => z.string().overwrite(cleanLine)
