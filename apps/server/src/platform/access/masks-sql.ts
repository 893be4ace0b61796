import { type RawBuilder, sql } from 'kysely'

// The masks of `domain/access/masks.ts` in SQL; `masks-sql.test.ts` compares their results.

export const maskTextSql = (value: RawBuilder<unknown>) => sql<string>`('••••' || right(${value}, 4))`

export const maskEmailSql = (email: RawBuilder<unknown>) =>
  sql<string>`regexp_replace(${email}, '^(.).*(@.*)$', '\\1•••\\2')`

export const maskListedPhoneSql = (phone: RawBuilder<unknown>) =>
  sql<string>`(left(${phone}, 6) || '****' || right(${phone}, 3))`

export const maskListedEmailSql = (email: RawBuilder<unknown>) =>
  sql<string>`regexp_replace(${email}, '^(.).*(@.*)$', '\\1***\\2')`
