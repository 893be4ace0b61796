/** Languages of the product (BCP 47); how to add one: docs/how-to/add-a-language.md. */
export const languages = ['en', 'id'] as const
export type Language = (typeof languages)[number]

/** A text in each language. */
export type Localized = Record<Language, string>

/** A label as it reads inside a sentence: `Program studi` → `program studi`; `MoU` stays. */
export const insideSentence = (label: string) => label.replace(/^\p{Lu}\p{Ll}+\b/u, (word) => word.toLowerCase())

/** A text with a capital first letter. */
export const capitalised = (text: string) => text.replace(/^./u, (letter) => letter.toUpperCase())

/** Narrows a code to a language of the product. */
export const isLanguage = (code: unknown): code is Language => languages.includes(code as Language)
