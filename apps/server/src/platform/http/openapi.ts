import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { schemaOf } from './late-schema.ts'

/** Collects every later registered route into the API description. */
export async function collectRoutes(app: FastifyInstance) {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'PMB Online',
        version: '1',
        description:
          'New-student registration. Calls carry `Authorization: Bearer <token>`; writes may carry `Idempotency-Key`.',
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    transform: (route: Parameters<typeof jsonSchemaTransform>[0]) => {
      const result = jsonSchemaTransform({ ...route, schema: withSchemas(route.schema) })
      const { access, alsoFor, shared } = route.route.config ?? {}
      if (result.schema && access && access !== 'public') {
        result.schema.security = [{ bearer: [] }]
        const alternatives = alsoFor?.length ? ` or one of ${alsoFor.map((slug) => `\`${slug}\``).join(', ')}` : ''
        const refusal = shared ? ' Refuses roles limited to some study programmes.' : ''
        if (access !== 'signed-in')
          result.schema.description = `Needs the permission \`${access}\`${alternatives}.${refusal}`
      }
      if (result.schema && route.route.config?.upload)
        Object.assign(result.schema, { consumes: ['multipart/form-data'], body: oneFile })
      return result
    },
  })
}

type RouteSchema = Parameters<typeof jsonSchemaTransform>[0]['schema']

/** The schema of a route with the Zod schemas of its endpoint. */
function withSchemas({ response, ...schema }: RouteSchema): RouteSchema {
  const read = (parts: object = {}) =>
    Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, schemaOf(part)]))
  return { ...read(schema), ...(response !== undefined && { response: read(response as object) }) }
}

const oneFile = { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } }

/** Serves the documentation page at /api/docs. */
export async function showDocumentation(app: FastifyInstance) {
  await app.register(async (docs) => {
    docs.decorate('accessOfPlugins', 'public')
    await docs.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: true, uiConfig: { docExpansion: 'none' } })
  })
}
