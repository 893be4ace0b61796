import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import {
  createMenu,
  createPermission,
  createRole,
  listMenus,
  orderMenus,
  readPermission,
  readRole,
  readRoleMenus,
  readRolePermissions,
  removeMenu,
  removePermission,
  removeRole,
  setRoleMenus,
  setRolePermissions,
  updateMenu,
  updatePermission,
  updateRole,
} from '#domain/access/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import * as grants from './grants.ts'
import * as menus from './menus.ts'
import { makeRoleReader, type StoredDetail } from './role-reader.ts'
import * as roles from './roles.ts'

/** Routes of /settings/url, /settings/roles and /settings/permissions. */
export const accessSettingsRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, clock, sessions } = services
    // Clears the cache before the response is sent, so the actor's next request sees the change without waiting for the
    // database notification.
    app.addHook('onSend', async ({ method }) => {
      if (method !== 'GET') sessions.forget()
    })
    serve(app, listMenus, async () => ({ data: await menus.findMenus(db) }))
    serve(
      app,
      createMenu,
      async (request) => ({ data: await menus.createMenu(db, actorOf(request), request.body, clock.now()) }),
      { status: 201 },
    )
    serve(app, orderMenus, async (request) => ({
      data: await menus.orderMenus(db, actorOf(request), request.body, clock.now()),
    }))
    serve(app, updateMenu, async (request) => ({
      data: await menus.updateMenu(db, actorOf(request), request.params.id, request.body, clock.now()),
    }))
    serve(app, removeMenu, async (request) => {
      await menus.removeMenu(db, actorOf(request), request.params.id)
      return { data: { id: request.params.id } }
    })

    const readerOf = (request: FastifyRequest) => makeRoleReader(db, actorOf(request), languageOfRequest(request))
    const detailFor = async (request: FastifyRequest, role: StoredDetail) => ({
      data: (await readerOf(request)).detail(role),
    })
    roles.serveRoles(app, services)
    serve(app, readRole, async (request) => detailFor(request, await roles.getRoleDetail(db, request.params.id)))
    serve(
      app,
      createRole,
      async (request) => detailFor(request, await roles.createRole(db, actorOf(request), request.body, clock.now())),
      { status: 201 },
    )
    serve(app, updateRole, async (request) =>
      detailFor(request, await roles.updateRole(db, actorOf(request), request.params.id, request.body, clock.now())),
    )
    serve(app, removeRole, async (request) => ({
      data: await roles.removeRole(db, actorOf(request), request.params.id, request.query.moveTo),
    }))
    serve(app, readRoleMenus, async (request) => {
      const { role, ...rest } = await grants.readRoleMenus(db, request.params.id)
      return { data: { role: (await readerOf(request)).toListedRole(role), ...rest } }
    })
    serve(app, setRoleMenus, async (request) => {
      const role = await grants.setRoleMenus(db, actorOf(request), request.params.id, request.body, clock.now())
      return { data: (await readerOf(request)).toListedRole(role) }
    })
    serve(app, readRolePermissions, async (request) => {
      const { role, ...rest } = await grants.readRolePermissions(db, request.params.id)
      return { data: { role: (await readerOf(request)).toListedRole(role), ...rest } }
    })
    serve(app, setRolePermissions, async (request) => {
      const role = await grants.setRolePermissions(db, actorOf(request), request.params.id, request.body, clock.now())
      return { data: (await readerOf(request)).toListedRole(role) }
    })

    grants.servePermissions(app, services)
    serve(app, readPermission, async (request) => ({
      data: await grants.readPermission(db, request.params.slug, app.declaredRoutes),
    }))
    serve(
      app,
      createPermission,
      async (request) => ({ data: await grants.createPermission(db, actorOf(request), request.body) }),
      { status: 201 },
    )
    serve(app, updatePermission, async (request) => ({
      data: await grants.updatePermission(db, actorOf(request), request.params.slug, request.body),
    }))
    serve(app, removePermission, async (request) => {
      await grants.removePermission(db, actorOf(request), request.params.slug)
      return { data: { slug: request.params.slug } }
    })
  }
