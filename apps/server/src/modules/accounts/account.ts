import type { Language } from '#entities/define/language.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { findPendingEmail } from './verify-email.ts'

export async function getAccount(db: Db, actor: Actor, now: Date) {
  const row = await db
    .selectFrom('accounts')
    .innerJoin('roles', 'roles.id', 'accounts.roleId')
    .select(({ exists, selectFrom }) => [
      'accounts.id',
      'accounts.name',
      'accounts.email',
      'accounts.emailVerifiedAt',
      'accounts.phone',
      'accounts.language',
      'accounts.theme',
      'accounts.whatsapp',
      'accounts.passwordHash',
      'accounts.totpSecret',
      'accounts.consentVersion',
      'accounts.consentAt',
      'accounts.createdAt',
      'roles.name as role',
      exists(
        selectFrom('accountIdentities')
          .select('accountIdentities.subject')
          .whereRef('accountIdentities.accountId', '=', 'accounts.id')
          .where('accountIdentities.provider', '=', 'google'),
      ).as('googleLinked'),
    ])
    .where('accounts.id', '=', actor.accountId)
    .executeTakeFirst()
  if (!row) throw notFound('account')
  const { passwordHash, totpSecret, googleLinked, ...account } = row
  return {
    ...account,
    hasPassword: passwordHash !== null,
    twoFactor: totpSecret !== null,
    googleLinked: Boolean(googleLinked),
    pendingEmail: (await findPendingEmail(db, row.id, now)) ?? null,
  }
}

type Preferences = {
  language?: Language | undefined
  theme?: 'light' | 'dark' | 'system' | undefined
  whatsapp?: boolean | undefined
}

export const updatePreferences = (services: Services, actor: Actor, { language, theme, whatsapp }: Preferences) =>
  services.db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('accounts')
      .select(['language', 'theme', 'whatsapp'])
      .where('id', '=', actor.accountId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const after = {
      language: language ?? before.language,
      theme: theme ?? before.theme,
      whatsapp: whatsapp ?? before.whatsapp,
    }
    if (JSON.stringify(after) !== JSON.stringify(before)) {
      await tx
        .updateTable('accounts')
        .set({ ...after, updatedAt: services.clock.now() })
        .where('id', '=', actor.accountId)
        .execute()
      await recordAudit(tx, actor, { action: 'account.preferences', on: { account: actor.accountId }, before, after })
    }
    return getAccount(tx, actor, services.clock.now())
  })
