import { type RawBuilder, sql } from 'kysely'
import { applicantRole } from '#domain/access/applicant-role.ts'
import { phonePartsOf } from '#domain/accounts/phone.ts'
import type { SearchKind } from '#domain/search/kinds.ts'
import { maySeeContacts as seesContactsOfAccounts } from '#server/modules/accounts/staff/find-accounts.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { programmeSql, statusSql } from '#server/platform/access/decision-scope.ts'
import { maskEmailSql } from '#server/platform/access/masks-sql.ts'
import { seesContactsOfRegistrations } from '#server/platform/access/registration-search.ts'
import { accountsVisibleTo, isApplicant, paymentsVisibleTo, visibleTo } from '#server/platform/access/row-scope.ts'
import { bankReference } from '#server/platform/bank-reference.ts'
import { schoolPatterns } from '#server/platform/school-words.ts'
import { containing, endingWith, patternsOf, selectMatches, startingWith, typosIn } from './search-sql.ts'
import type { ParsedSearch } from './typed.ts'

type Searching = { actor: Actor; typed: ParsedSearch; now: Date }

/**
 * Builds one SELECT per kind: kind, id, registration_id, title, code, note, status, place. Each includes the row scope
 * as a condition. Null if the typed text cannot match the kind.
 */
type Search = (searching: Searching) => RawBuilder<unknown> | null

/** The end of a number is searched from four digits on. */
const endOf = ({ digits }: ParsedSearch) => (digits && digits.length >= 4 ? digits : null)

const allOf = (conditions: RawBuilder<unknown>[]) => sql.join(conditions, sql` AND `)
const likeAll = (text: RawBuilder<unknown>, patterns: readonly string[]) =>
  allOf(patterns.map((pattern) => sql`${text} LIKE ${pattern}`))

const typoOf = ({ words }: ParsedSearch, text: RawBuilder<unknown>) => {
  const condition = typosIn(words, text)
  return condition && { condition }
}

const registration: Search = ({ actor, typed, now }) => {
  const forApplicant = isApplicant(actor)
  const { text, words, code, digits, phone, email } = typed
  const scope = visibleTo(actor)
  const registrations = sql`registrations r`
  const id = sql`r.id`
  const patterns = digits ? (digits.length >= 4 ? [containing(digits)] : null) : patternsOf(words)
  // Phone, e-mail and NIK match only for actors who see full contact details.
  const showsContacts = seesContactsOfRegistrations(actor)
  const phonePart = showsContacts && patterns ? (phone ?? digits) : null
  const matchesAnywhere = patterns && likeAll(sql`r.search_text`, patterns)
  const found = selectMatches({
    from: registrations,
    id,
    where: scope,
    starts: [
      ...(code ? [{ text: sql`lower(r.code)`, pattern: startingWith(code) }] : []),
      ...(digits ? [] : [{ text: sql`r.search_text`, pattern: startingWith(text) }]),
      ...(phonePart?.startsWith('62') ? [{ text: sql`r.search_phone`, pattern: startingWith(`+${phonePart}`) }] : []),
    ],
    wider: matchesAnywhere && {
      condition: phonePart
        ? sql`(${sql.join(
            [matchesAnywhere, ...phonePartsOf(text).map((part) => sql`r.search_phone LIKE ${containing(part)}`)],
            sql` OR `,
          )})`
        : matchesAnywhere,
    },
    typos: typoOf(typed, sql`r.search_text`),
  })
  const tail = endOf(typed)
  const byPerson = showsContacts
    ? [
        ...(tail
          ? [
              selectMatches({
                from: sql`applicants a JOIN registrations r ON r.account_id = a.account_id`,
                id,
                where: scope,
                starts: [{ text: sql`reverse(a.nik)`, pattern: endingWith(tail) }],
                wider: null,
              }),
            ]
          : []),
        ...(email
          ? [
              selectMatches({
                from: sql`accounts u JOIN registrations r ON r.account_id = u.id`,
                id,
                where: scope,
                starts: [{ text: sql`u.email_lower`, pattern: startingWith(email) }],
                wider: null,
              }),
            ]
          : []),
      ]
    : []
  const ids = sql.join(
    [found, ...byPerson].map((one) => sql`(${one})`),
    sql` UNION ALL `,
  )
  const note = forApplicant ? sql`w.name` : sql`p.name`
  return sql`SELECT 'registration' AS kind, r.id, r.id AS registration_id, a.full_name::text AS title, r.code::text AS code,
      ${note}::text AS note, ${statusSql(actor, now)} AS status, f.place
    FROM (${ids}) f JOIN registrations r ON r.id = f.id JOIN applicants a ON a.id = r.applicant_id
    ${forApplicant ? sql`JOIN waves w ON w.id = r.wave_id` : sql`LEFT JOIN study_programmes p ON p.id = ${programmeSql(actor, now)}`}`
}

const student: Search = ({ actor, typed: { code } }) => {
  if (!code) return null
  const found = selectMatches({
    from: sql`students s JOIN registrations r ON r.id = s.registration_id`,
    id: sql`s.id`,
    where: visibleTo(actor),
    starts: [{ text: sql`lower(s.npm)`, pattern: startingWith(code) }],
    wider: null,
  })
  return sql`SELECT 'student' AS kind, s.id, s.registration_id, a.full_name::text AS title, s.npm::text AS code,
      p.name::text AS note, r.status, f.place
    FROM (${found}) f JOIN students s ON s.id = f.id JOIN registrations r ON r.id = s.registration_id
    JOIN applicants a ON a.id = r.applicant_id JOIN study_programmes p ON p.id = s.programme_id`
}

/** Bills by the row scope. For applicants, the account id lets PostgreSQL find their few bills by index. */
const billsOf = (actor: Actor) =>
  isApplicant(actor) ? sql`b.account_id = ${actor.accountId} AND ${visibleTo(actor)}` : visibleTo(actor)

const bill: Search = ({ actor, typed }) => {
  const { text, code } = typed
  const tail = endOf(typed)
  const found = selectMatches({
    from: sql`bills b JOIN registrations r ON r.id = b.registration_id`,
    id: sql`b.id`,
    where: billsOf(actor),
    starts: [
      ...(text.includes(' ') && !code ? [] : [{ text: sql`lower(b.number)`, pattern: startingWith(code ?? text) }]),
      ...(tail ? [{ text: sql`reverse(b.number)`, pattern: endingWith(tail) }] : []),
    ],
    wider: null,
  })
  return sql`SELECT 'bill' AS kind, b.id, b.registration_id, b.number::text AS title, r.code::text AS code,
      a.full_name::text AS note, b.status, f.place
    FROM (${found}) f JOIN bills b ON b.id = f.id JOIN registrations r ON r.id = b.registration_id
    JOIN applicants a ON a.id = r.applicant_id`
}

const virtualAccount: Search = ({ actor, typed }) => {
  const { digits } = typed
  const tail = endOf(typed)
  if (!digits) return null
  const found = selectMatches({
    from: sql`virtual_accounts v JOIN bills b ON b.id = v.bill_id JOIN registrations r ON r.id = b.registration_id`,
    id: sql`v.id`,
    where: billsOf(actor),
    starts: [
      { text: sql`v.number`, pattern: startingWith(digits) },
      ...(tail ? [{ text: sql`reverse(v.number)`, pattern: endingWith(tail) }] : []),
    ],
    wider: null,
  })
  return sql`SELECT 'virtualAccount' AS kind, v.id, b.registration_id, v.number::text AS title, r.code::text AS code,
      a.full_name::text AS note, v.status, f.place
    FROM (${found}) f JOIN virtual_accounts v ON v.id = f.id JOIN bills b ON b.id = v.bill_id
    JOIN registrations r ON r.id = b.registration_id JOIN applicants a ON a.id = r.applicant_id`
}

const payment: Search = ({ actor, typed: { text, code } }) => {
  if (!code) return null
  const from = sql`payments p LEFT JOIN bills b ON b.id = p.bill_id LEFT JOIN registrations r ON r.id = b.registration_id`
  const key = sql`reference_key(${text})`
  const found = selectMatches({
    from,
    id: sql`p.id`,
    where: paymentsVisibleTo(actor),
    starts: [{ text: sql`p.receipt_number`, pattern: startingWith(code.toUpperCase()) }],
    wider: {
      condition: sql`(reference_key(p.provider_reference) = ${key}
        OR p.reference IS NOT NULL AND reference_key(p.reference) = ${key})`,
    },
  })
  return sql`SELECT 'payment' AS kind, p.id, b.registration_id,
      coalesce(p.receipt_number, ${bankReference}, p.virtual_account_number, p.provider)::text AS title, r.code::text AS code,
      coalesce(a.full_name, p.payer_name)::text AS note, p.status, f.place
    FROM (${found}) f JOIN payments p ON p.id = f.id LEFT JOIN bills b ON b.id = p.bill_id
    LEFT JOIN registrations r ON r.id = b.registration_id LEFT JOIN applicants a ON a.id = r.applicant_id`
}

const letter: Search = ({ actor, typed: { code } }) => {
  if (!code) return null
  const found = selectMatches({
    from: sql`letters l JOIN registrations r ON r.id = l.registration_id`,
    id: sql`l.id`,
    where: visibleTo(actor),
    starts: [{ text: sql`lower(l.number)`, pattern: startingWith(code) }],
    wider: null,
  })
  return sql`SELECT 'letter' AS kind, l.id, l.registration_id, l.number::text AS title, r.code::text AS code,
      (l.facts->>'name')::text AS note, l.state AS status, f.place
    FROM (${found}) f JOIN letters l ON l.id = f.id JOIN registrations r ON r.id = l.registration_id`
}

/** Rows of a short list of master data, by the beginning of the code or by words of the name. */
const named = (typed: ParsedSearch, rows: RawBuilder<unknown>, names: RawBuilder<unknown>) =>
  selectMatches({
    from: rows,
    id: sql`m.id`,
    where: sql`true`,
    starts: [{ text: sql`lower(m.code)`, pattern: startingWith(typed.code ?? typed.text) }],
    wider: {
      condition: likeAll(
        names,
        typed.words.map((word) => `% ${startingWith(word)}`),
      ),
    },
    typos: typoOf(typed, names),
  })

const programme: Search = ({ typed }) => {
  const names = sql`search_key(' ' || m.name || ' ' || coalesce(m.name_en, ''))`
  return sql`SELECT 'programme' AS kind, m.id, NULL::uuid AS registration_id, m.name::text AS title, m.code::text AS code,
      u.name::text AS note, CASE WHEN m.active THEN 'active' ELSE 'inactive' END AS status, f.place
    FROM (${named(typed, sql`study_programmes m`, names)}) f JOIN study_programmes m ON m.id = f.id
    JOIN faculties u ON u.id = m.faculty_id`
}

const wave: Search = ({ typed }) => {
  const names = sql`search_key(' ' || m.name || ' ' || m.academic_year)`
  return sql`SELECT 'wave' AS kind, f.id, NULL::uuid AS registration_id, m.name::text AS title, m.code::text AS code,
      m.academic_year::text AS note, CASE WHEN m.active THEN 'active' ELSE 'inactive' END AS status, f.place
    FROM (${named(typed, sql`waves m`, names)}) f JOIN waves m ON m.id = f.id`
}

const school: Search = ({ typed: { text } }) => {
  const patterns = schoolPatterns(text)
  const plain = text.replace(/[^a-z0-9]+/g, ' ').trim()
  if (!plain) return null
  const found = selectMatches({
    from: sql`school_search s`,
    id: sql`s.school_id`,
    where: sql`true`,
    // The column `words` begins with a space and the school's name.
    starts: [{ text: sql`s.words`, pattern: startingWith(` ${plain}`) }],
    wider: patterns.some((pattern) => /[a-z0-9]{3}/.test(pattern))
      ? { condition: likeAll(sql`s.words`, patterns) }
      : null,
  })
  return sql`SELECT 'school' AS kind, s.id, NULL::uuid AS registration_id, s.name::text AS title, s.npsn::text AS code,
      c.name::text AS note, CASE WHEN s.verified THEN 'verified' ELSE 'proposed' END AS status, f.place
    FROM (${found}) f JOIN schools s ON s.id = f.id JOIN cities c ON c.id = s.city_id`
}

const affiliate: Search = ({ typed }) => {
  const { text, words } = typed
  const patterns = patternsOf(words)
  const found = selectMatches({
    from: sql`affiliates a`,
    id: sql`a.id`,
    where: sql`true`,
    starts: [
      { text: sql`lower(a.code)`, pattern: startingWith(text) },
      { text: sql`search_key(a.name)`, pattern: startingWith(text) },
    ],
    wider: patterns && { condition: likeAll(sql`search_key(a.name)`, patterns) },
    typos: typoOf(typed, sql`search_key(a.name)`),
  })
  return sql`SELECT 'affiliate' AS kind, a.id, NULL::uuid AS registration_id, a.name::text AS title, a.code::text AS code,
      NULL::text AS note, CASE WHEN a.active THEN 'active' ELSE 'inactive' END AS status, f.place
    FROM (${found}) f JOIN affiliates a ON a.id = f.id`
}

/** OFFSET 0 keeps the planner from scanning all accounts for a scope it estimates as rare. */
const namedAccounts = (condition: RawBuilder<unknown>) => ({
  from: sql`(SELECT a.id, a.role_id FROM accounts a WHERE ${condition} OFFSET 0) a`,
  condition: sql`true`,
})

/**
 * The same rows as the list of accounts. E-mail addresses of applicants need permission to see contacts of accounts.
 */
const account: Search = ({ actor, typed }) => {
  const { text, words, digits, email: address } = typed
  if (digits) return null
  const patterns = patternsOf(words)
  const where = accountsVisibleTo(actor)
  const showsContacts = seesContactsOfAccounts(actor)
  const typo = typosIn(words, sql`search_key(a.name)`)
  const ofStaff = sql`a.role_id <> (SELECT s.id FROM roles s WHERE s.name = ${applicantRole})`
  const byName = selectMatches({
    from: sql`accounts a`,
    id: sql`a.id`,
    where,
    starts: [{ text: sql`search_key(a.name)`, pattern: startingWith(text) }],
    wider: patterns && namedAccounts(likeAll(sql`search_key(a.name)`, patterns)),
    typos: typo && namedAccounts(typo),
  })
  const byEmail = selectMatches({
    from: sql`accounts a`,
    id: sql`a.id`,
    where: showsContacts ? where : sql`${where} AND ${ofStaff}`,
    starts: [{ text: sql`a.email_lower`, pattern: startingWith(address ?? text) }],
    wider: null,
  })
  const email = showsContacts
    ? sql`a.email`
    : sql`CASE WHEN a.id = ${actor.accountId} OR ${ofStaff} THEN a.email ELSE ${maskEmailSql(sql`a.email`)} END`
  return sql`SELECT 'account' AS kind, a.id, NULL::uuid AS registration_id, a.name AS title, ${email} AS code,
      r.name AS note, CASE WHEN a.active THEN 'active' ELSE 'inactive' END AS status, f.place
    FROM ((${byName}) UNION ALL (${byEmail})) f JOIN accounts a ON a.id = f.id JOIN roles r ON r.id = a.role_id`
}

export const searches: Record<SearchKind, Search> = {
  registration,
  student,
  bill,
  virtualAccount,
  payment,
  letter,
  programme,
  wave,
  school,
  affiliate,
  account,
}
