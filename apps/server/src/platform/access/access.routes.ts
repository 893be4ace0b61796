import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { asideOf } from '#domain/access/aside.ts'
import { ownMenus, ownPermissions } from '#domain/access/session-endpoints.ts'
import { effectivePermissions } from '#domain/access/whole-view.ts'
import type { Language } from '#entities/define/language.ts'
import type { Db } from '#server/platform/database/database.ts'
import { unauthenticated } from '#server/platform/errors.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { languageOf } from '#server/platform/text.ts'
import { isLimited } from './row-scope.ts'
import type { Grants } from './session-cache.ts'

const json = 'application/json; charset=utf-8'

/** Called on every navigation. Each answer depends only on the role, so its text is cached with the role's grants. */
export const accessRoutes =
  ({ db }: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serve(
      app,
      ownPermissions,
      (request, reply) => {
        if (!request.session) throw unauthenticated()
        const { grants } = request.session
        const language = languageOf(request.headers['accept-language'])
        const cachedAnswer = grants.answers.get(`permissions ${language}`)
        if (cachedAnswer) return reply.header('content-type', json).send(cachedAnswer)
        return permissionsOf(db, grants, language).then((answer) => reply.header('content-type', json).send(answer))
      },
      { raw: true },
    )

    serve(
      app,
      ownMenus,
      async (request, reply) => {
        if (!request.session) throw unauthenticated()
        const { grants } = request.session
        return reply.header('content-type', json).send(grants.answers.get('menus') ?? (await menusOf(db, grants)))
      },
      { raw: true },
    )
  }

const nameColumns = {
  en: 'permissions.nameEn as name',
  id: 'permissions.nameId as name',
} as const satisfies Record<Language, string>

async function permissionsOf(db: Db, grants: Grants, language: Language) {
  const rows = await db
    .selectFrom('rolePermissions')
    .innerJoin('permissions', 'permissions.slug', 'rolePermissions.permission')
    .select(['permissions.slug', nameColumns[language]])
    .where('rolePermissions.roleId', '=', grants.roleId)
    .orderBy('permissions.slug')
    .execute()
  const effective = effectivePermissions(grants.permissions, isLimited(grants))
  const answer = JSON.stringify({ data: rows.filter(({ slug }) => effective.has(slug)) })
  grants.answers.set(`permissions ${language}`, answer)
  return answer
}

async function menusOf(db: Db, grants: Grants) {
  const rows = await db
    .selectFrom('menus')
    .innerJoin('roleMenus', 'roleMenus.menuId', 'menus.id')
    .select(['menus.id', 'nameEn', 'nameId', 'path', 'icon', 'parentId', 'permission'])
    .where('roleMenus.roleId', '=', grants.roleId)
    .where('menus.active', '=', true)
    .orderBy('sortOrder')
    .orderBy('menus.id')
    .execute()
  const menus = rows.map(({ nameEn, nameId, ...menu }) => ({ ...menu, name: { en: nameEn, id: nameId } }))
  const answer = JSON.stringify({ data: asideOf(menus, effectivePermissions(grants.permissions, isLimited(grants))) })
  grants.answers.set('menus', answer)
  return answer
}
